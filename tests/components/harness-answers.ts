import type { EnginesAnswer, Pagination, StorageUse, Subscription, Usage, UserProfile } from "#contract/index.ts";
import { type Answers, openStream, refusal } from "./harness-network.ts";

/** The rights of the signed-in user. */
export type Rights = "free" | "premium" | "superuser";

export const ada: UserProfile = {
  id: "ada",
  email: "ada@example.org",
  name: "Ada",
  avatar_url: null,
  isSuperUser: false,
  planType: "free",
  emailVerified: true,
  hasPassword: true,
  subscriptionId: null,
};

export const subscription: Subscription = {
  id: "subscription",
  status: "active",
  plan: "premium",
  interval: "year",
  currentPeriodEnd: "2100-01-01T00:00:00.000Z",
  cancelAtPeriodEnd: false,
};

export const usage: Usage = { usedTranslationMinutes: 0, limitMinutes: null, resetsAt: "2100-01-01T00:00:00.000Z" };

/** The server recognizes English and translates it into German. */
export const engines: EnginesAnswer = {
  speech: {
    engines: [{ id: "moonshine-tiny-en", name: "Moonshine tiny", offline: true, available: true }],
    languages: [
      { code: "auto", available: true, engine: "moonshine-tiny-en", live: true, resolvesTo: "en" },
      { code: "en", available: true, engine: "moonshine-tiny-en", live: true },
      { code: "de-DE", available: false, live: false, reason: "noEngine" },
    ],
    diarizes: true,
  },
  translation: {
    engines: [{ id: "apertium", name: "Apertium", offline: true, available: true }],
    pairs: [
      { source: "en", target: "de", engine: "apertium" },
      { source: "de", target: "en", engine: "apertium" },
    ],
  },
  insights: true,
  limits: { maxUploadBytes: 2_147_483_648 },
};

export const noPages: Pagination = { page: 1, limit: 20, total: 0, totalPages: 0 };

/** The API's answers for a visitor. */
export const visitorAnswers: Answers = {
  // The page asks only once: a test without the button would remove it from all later tests.
  "GET /auth/providers": { federated: { name: "Google" }, providers: [{ id: "google", name: "Google" }] },
  "GET /api/v1/engines": engines,
  "GET /blog": { posts: [], total: 0, page: 1, totalPages: 1, facets: { languages: [], topics: [] } },
  "GET /blog/popular": [],
  "POST /auth/logout": {},
  "POST /auth/passkey/challenge": refusal(404, "notFound"),
};

const storage: StorageUse = { usedBytes: 0, quotaBytes: 5_368_709_120 };
const history = "/api/v1/audio-transcriptions";

/** The API's answers for a signed-in user with these rights who has no data yet. */
export function answersFor(rights: Rights, profile: UserProfile): Answers {
  return {
    ...visitorAnswers,
    "GET /users/me": profile,
    "GET /users/me/feeds": { feeds: [], limit: 3 },
    "GET /users/me/insight-templates": { templates: [], folders: [] },
    "GET /users/me/notices": { completed: false, failed: false, mails: "sent" },
    "GET /users/me/passkeys": { passkeys: [] },
    "GET /users/me/second-factor": { enabledAt: null, recoveryCodesLeft: 0, required: false },
    "GET /users/me/sessions": { sessions: [] },
    "GET /users/me/sign-in-methods": { provider: null, providers: [], linked: [], confirmedUntil: null },
    "GET /users/me/sign-ins": { signIns: [] },
    "GET /users/me/tokens": { tokens: [] },
    "GET /users/me/vocabulary": { text: "", revision: 0 },
    "GET /users/me/voice-profiles": { enabled: false, available: false, profiles: [] },
    "GET /users/me/webhooks": { webhooks: [] },
    "GET /subscriptions/me": rights === "premium" ? { subscription } : refusal(404, "notFound"),
    "GET /subscriptions/account/subscription": rights === "premium" ? subscription : refusal(404, "notFound"),
    "GET /subscriptions/account/invoices": { invoices: [] },
    "GET /api/v1/usage": rights === "free" ? { ...usage, limitMinutes: 10 } : usage,
    "GET /api/v1/storage": storage,
    "GET /api/v1/encrypted-audio": { vault: null, items: [] },
    [`GET ${history}/transcription-history`]: { data: [], pagination: noPages, next: null },
    [`GET ${history}/trash`]: { data: [], total: 0, next: null, until: "2026-01-01T00:00:00.000Z" },
    [`GET ${history}/filing`]: { folders: [], tags: [] },
    [`GET ${history}/retention`]: { rules: [] },
    [`GET ${history}/events`]: () => openStream().response,
  };
}
