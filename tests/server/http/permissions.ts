import { readFile } from "node:fs/promises";
import {
  ActiveSessionsAnswer,
  AdminBlogPost,
  Folder,
  ImageAnswer,
  InboxAnswer,
  SharedPerson,
  TemplatesAnswer,
  Transcription,
  UserProfile,
  type VaultItem,
} from "#contract/index.ts";
import { base, type Person, read, settled, signInAgain, signUp, upload, uploadForm } from "#tests/server/harness.ts";
import { silentWav } from "#tests/server/jobs/scripted.ts";
import { offer } from "#tests/server/people/shared.ts";
import { makeToken } from "#tests/server/personal-tokens/tokens.ts";
import { share, visit } from "#tests/server/sharing/links.ts";
import { save } from "#tests/server/transcription/saved.ts";
import { begin, newFields } from "#tests/server/uploads/tus.ts";
import { recordings, shareItem, visitRecording } from "#tests/server/vault/links.ts";
import { begin as beginItem, metaOf, putIn, vaults } from "#tests/server/vault/vaults.ts";
import { makeWebhook } from "#tests/server/webhooks/hooks.ts";
import { clientId } from "./bodies.ts";
import { flatPng } from "./pictures.ts";
import {
  checkoutPage,
  type Harness,
  insertCaptioned,
  insertFeed,
  insertPasskey,
  insertVoice,
  newCredentials,
} from "./visitors.ts";

/** A request to a route: bytes and forms are sent unchanged, anything else as JSON. */
export interface Call {
  path?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** The answers of a route to each kind of caller. */
export interface Permission {
  /** Statuses for a visitor, an ended session, another person, the user who owns the resource, and a superuser. */
  answers: string;
  /** Creates the user's resource and returns the call. Default: the route's own path, and its body in bodies.ts. */
  call?: (harness: Harness) => Call | Promise<Call>;
  /** The call ends sessions or accounts, so it needs its own people. */
  alone?: true;
  /** Everybody with the link may call it; the answer breaks off when the link ends (bodies-on-rights.ts). */
  isLinked?: true;
}

/** One answer for everybody; the route has no personal data. */
const all = (status: number) => Array(5).fill(status).join(" ");
/** For signed-in callers; each gets their own data. */
const own = (status: number) => `401 401 ${status} ${status} ${status}`;
/** For the owner only; others, also superusers, get 404. */
const theirs = (status: number) => `401 401 404 ${status} 404`;
/** For superusers; the specification answers everybody else alike, signed in or not (section 6). */
const superusers = (status: number) => `401 401 401 401 ${status}`;

const image = async () => new Uint8Array(await flatPng(8, 8));
const imageForm = async () => {
  const form = new FormData();
  form.set("image", new Blob([await image()], { type: "image/png" }), "x.png");
  return form;
};
/** The path of a template that the user has written. */
const template = async ({ user }: Harness) => {
  const made = await user.call("POST", "/users/me/insight-templates", { name: "n", prompt: "p" });
  const { templates } = await read(made, 201, TemplatesAnswer);
  return `/users/me/insight-templates/${templates[0]?.id}`;
};
/** The id of a new folder or tag of the user. */
const named =
  (kind: "folders" | "tags") =>
  async ({ user }: Harness) => {
    const draft = { name: crypto.randomUUID(), colour: "red" };
    const { id } = await read(await user.call("POST", `${base}/${kind}`, draft), 201, Folder);
    return id;
  };
const saved = async ({ user }: Harness) => (await save(user, { text: "one two" })).id;
const trashed = async (harness: Harness) => {
  const id = await saved(harness);
  await harness.user.call("DELETE", `/audio/remove-transcription/${id}`);
  return id;
};
/** A new recording of the user and a link to it. */
const shared = async (harness: Harness) => {
  const transcription = await heard(harness);
  const wanted = { audio: true, download: true };
  return { transcription, link: await share(harness.user, transcription, wanted) };
};
/** A call of a visitor who has opened a link. */
const opened =
  (what: string) =>
  async (harness: Harness): Promise<Call> => {
    const visitor = visit(harness.server, (await shared(harness)).link);
    await visitor.shown();
    return { path: `${visitor.path}/${what}`, headers: { Cookie: visitor.cookie() } };
  };
/** A webhook to an address of this machine, which only an operator's setting allows. */
const webhook = async ({ user }: Harness) =>
  (await makeWebhook(user, "http://127.0.0.1:9/hook", { events: ["transcription.failed"] })).id;
const linkPath = async (harness: Harness) => {
  const { transcription: id, link } = await shared(harness);
  return `${transcription}/${id}/links/${link.id}`;
};
/** The path of an invitation of the user to an address. */
const offered = async (harness: Harness) => {
  const path = `${transcription}/${await saved(harness)}/people`;
  const made = await harness.user.call("POST", path, { email: "p@example.org", role: "read" });
  return `${path}/${(await read(made, 201, SharedPerson)).id}`;
};
/** A call about an invitation of a fourth person to the user. */
const offeredToUser = async ({ server, user }: Harness) => {
  const owner = await signUp(server);
  const { id } = await save(owner, { text: "one two" });
  return { path: `${base}/shared-with-me/${(await offer(owner, user, id, "read")).id}` };
};
/** One video for each user, because three processes work on every video. */
const videos = new WeakMap<Person, Promise<string>>();
/** The id of a transcribed video of the user whose picture is known. */
const filmed = ({ user }: Harness): Promise<string> => {
  const send = async () => {
    const video = Buffer.from(await readFile(new URL("../../fixtures/audio/market.mp4", import.meta.url)));
    const { id } = await read(await upload(user, video, { name: "market.mp4", type: "video/mp4" }), 202, Transcription);
    return (await settled(user, id)).id;
  };
  const sent = videos.get(user) ?? send();
  videos.set(user, sent);
  return sent;
};
const heard = async ({ user }: Harness) => (await read(await upload(user, silentWav(0.3)), 202, Transcription)).id;
const at =
  (make: (harness: Harness) => Promise<string>, pathOf: (id: string) => string) =>
  async (harness: Harness): Promise<Call> => ({ path: pathOf(await make(harness)) });
const transcription = `${base}/transcription`;
const written = async ({ superuser }: Harness) =>
  (
    await read(
      await superuser.call("POST", "/admin/blog", { title: "A title", content: "A text", status: "published" }),
      201,
      AdminBlogPost,
    )
  ).id;
const reader = (action: string) => async (harness: Harness) => ({ path: `/blog/${await written(harness)}/${action}` });
const member = async ({ server }: Harness) =>
  (await read(await (await signUp(server)).call("GET", "/users/me"), 200, UserProfile)).id;
const message = async ({ user, superuser }: Harness) => {
  await user.call("POST", "/feedback", { clientId: crypto.randomUUID(), rating: 1, text: "t", language: "en" });
  const { messages } = await read(await superuser.call("GET", "/admin/inbox"), 200, InboxAnswer);
  return messages[0]?.id ?? "none";
};
const session = async ({ server, user }: Harness) => {
  await signInAgain(server, user);
  const { sessions } = await read(await user.call("GET", "/users/me/sessions"), 200, ActiveSessionsAnswer);
  return sessions.find(({ current }) => !current)?.id ?? "none";
};
const turnOf = (conversation: string) => ({
  path: `${base}/conversations/${conversation}/turns/${crypto.randomUUID()}`,
  body: {
    languages: ["en", "es"],
    sourceLanguage: "en",
    targetLanguage: "es",
    segments: [{ start: 0, end: 1, text: "one", words: [] }],
    title: "t",
    date: "2026-03-01T10:00:00Z",
  },
});
const inVault = async (harness: Harness): Promise<string> => {
  const item: VaultItem = await putIn({ ...harness, person: harness.user }, "a recording");
  return item.id;
};
/** A recording in the user's vault, and a link to it. */
const sharedItem = async (harness: Harness) => {
  const owner = { ...harness, person: harness.user };
  const item = await putIn(owner, "a recording");
  return { item, link: await shareItem(owner, item) };
};
const uploading = ({ user }: Harness) => begin(user, { size: 10 });
const tus = { "Tus-Resumable": "1.0.0" };
const octets = { "Content-Type": "application/octet-stream" };
const oneBlog = "/admin/blog/:id{[\\da-f]{8}-[\\da-f-]{27}}";

const metadata = () =>
  Object.entries(newFields())
    .map(([key, value]) => `${key} ${Buffer.from(value).toString("base64")}`)
    .join(",");

/** Routes of folders and of tags, which have the same permissions. */
function folderAndTags(): Record<string, Permission> {
  const draft = () => ({ name: crypto.randomUUID(), colour: "blue" });
  const ofKind = (kind: "folders" | "tags"): Record<string, Permission> => ({
    [`POST ${base}/${kind}`]: { answers: own(201), call: () => ({ body: draft() }) },
    [`PUT ${base}/${kind}/:id`]: {
      answers: theirs(200),
      call: async (harness) => ({ path: `${base}/${kind}/${await named(kind)(harness)}`, body: draft() }),
    },
    [`DELETE ${base}/${kind}/:id`]: { answers: theirs(204), call: at(named(kind), (id) => `${base}/${kind}/${id}`) },
  });
  return { ...ofKind("folders"), ...ofKind("tags") };
}

const forOneMonth = { folderId: null, audioDays: 30, textDays: null };

/** Permissions of every route of the API. A new route has to be added here. */
export const permissions: Record<string, Permission> = {
  "GET /": { answers: all(200) },
  "GET /openapi.json": { answers: all(200) },
  "GET /healthz": { answers: all(200) },
  "GET /readyz": { answers: all(200) },
  // Without METRICS_TOKEN there are no metrics.
  "GET /metrics": { answers: all(404) },
  "GET /languages": { answers: all(200) },
  "GET /languages/codes": { answers: all(200) },
  "GET /languages/supported": { answers: all(200) },
  "GET /languages/grouped": { answers: all(200) },
  "GET /api/v1/engines": { answers: all(200) },
  // No model is installed here; device-translations.test.ts installs one.
  "GET /api/v1/device-translations/:source/:target": { answers: own(404) },
  "GET /api/v1/device-translations/:source/:target/:sha256": { answers: own(404) },

  "POST /auth/register": { answers: all(201), call: () => ({ body: { email: "?", password: "correct horse" } }) },
  "POST /auth/login": { answers: all(200), call: async (harness) => ({ body: await newCredentials(harness) }) },
  "POST /auth/refresh": { answers: all(401) },
  "POST /auth/logout": { answers: all(204), alone: true },
  "GET /auth/ping": { answers: own(200) },
  "POST /auth/forgot-password": { answers: all(202) },
  "POST /auth/resend-confirmation": { answers: all(202) },
  "POST /auth/reset-password": { answers: all(400) },
  "POST /auth/confirm-email": { answers: all(400) },
  "POST /auth/stop-email-change": { answers: all(400), call: () => ({ body: { token: "t" } }) },
  "GET /auth/providers": { answers: all(200) },
  // No provider is configured here; federated.test.ts configures one.
  "GET /auth/google": { answers: all(404) },
  "GET /auth/providers/:provider": { answers: all(404) },
  "GET /auth/providers/:provider/callback": { answers: all(404) },
  "GET /auth/google/callback": { answers: all(404) },
  "POST /auth/google/exchange": { answers: all(400), call: () => ({ body: { code: "c" } }) },
  "GET /auth/link": { answers: all(410) },
  "POST /auth/link": { answers: all(410), call: () => ({ body: { password: "x" } }) },

  "GET /users/me": { answers: own(200) },
  "PATCH /users/me": { answers: own(200) },
  "DELETE /users/me": { answers: own(204), alone: true, call: () => ({ body: { password: "correct horse" } }) },
  "POST /users/me/password": {
    answers: own(200),
    alone: true,
    call: () => ({ body: { currentPassword: "correct horse", newPassword: "correct horse battery" } }),
  },
  "POST /users/me/email": {
    answers: own(202),
    call: () => ({ body: { email: `${crypto.randomUUID()}@example.org`, password: "correct horse" } }),
  },
  "GET /users/me/sessions": { answers: own(200) },
  "GET /auth/second-factor": { answers: all(410) },
  "POST /auth/second-factor": { answers: all(410), call: () => ({ body: { code: "000000" } }) },
  "GET /users/me/second-factor": { answers: own(200) },
  "POST /users/me/second-factor": { answers: own(403), call: () => ({ body: { password: "wrong horse" } }) },
  "POST /users/me/second-factor/confirmation": { answers: own(410), call: () => ({ body: { code: "000000" } }) },
  "POST /users/me/second-factor/recovery-codes": {
    answers: own(403),
    call: () => ({ body: { password: "wrong horse", code: "000000" } }),
  },
  "DELETE /users/me/second-factor": {
    answers: own(403),
    call: () => ({ body: { password: "wrong horse", code: "000000" } }),
  },
  "POST /auth/passkey/challenge": { answers: all(201) },
  "POST /auth/passkey": { answers: all(410) },
  "GET /users/me/passkeys": { answers: own(200) },
  "POST /users/me/passkeys/challenge": { answers: own(403), call: () => ({ body: { password: "wrong horse" } }) },
  "POST /users/me/passkeys": { answers: own(410) },
  "PATCH /users/me/passkeys/:id": { answers: theirs(204), call: at(insertPasskey, (id) => `/users/me/passkeys/${id}`) },
  "DELETE /users/me/passkeys/:id": {
    answers: theirs(204),
    alone: true,
    call: async (harness) => ({
      path: `/users/me/passkeys/${await insertPasskey(harness)}`,
      body: { password: "correct horse" },
    }),
  },
  "GET /users/me/sign-ins": { answers: own(200) },
  "DELETE /users/me/sessions": { answers: own(204), alone: true },
  "DELETE /users/me/sessions/:id": { answers: theirs(204), call: at(session, (id) => `/users/me/sessions/${id}`) },
  "GET /users/me/tokens": { answers: own(200) },
  "POST /users/me/tokens": {
    answers: own(201),
    call: () => ({ body: { name: "A script", scopes: ["account:read"], days: 1, password: "correct horse" } }),
  },
  "DELETE /users/me/tokens/:id": {
    answers: theirs(204),
    call: at(
      async ({ user }) => (await makeToken(user)).made.id,
      (id) => `/users/me/tokens/${id}`,
    ),
  },
  "GET /users/me/webhooks": { answers: own(200) },
  "POST /users/me/webhooks": { answers: own(201) },
  "PATCH /users/me/webhooks/:id": { answers: theirs(200), call: at(webhook, (id) => `/users/me/webhooks/${id}`) },
  "DELETE /users/me/webhooks/:id": { answers: theirs(204), call: at(webhook, (id) => `/users/me/webhooks/${id}`) },
  "GET /users/me/webhooks/:id/deliveries": {
    answers: theirs(200),
    call: at(webhook, (id) => `/users/me/webhooks/${id}/deliveries`),
  },
  "POST /users/me/webhooks/:id/test": { answers: theirs(202), call: at(webhook, (id) => `/users/me/webhooks/${id}/test`) },
  // Replaying an existing delivery is tested in webhooks/webhooks.test.ts.
  "POST /users/me/webhooks/:id/deliveries/:delivery/replay": {
    answers: own(404),
    call: at(webhook, (id) => `/users/me/webhooks/${id}/deliveries/none/replay`),
  },
  "GET /users/me/feeds": { answers: own(200) },
  // No feed is at this address; feeds/feeds.test.ts follows one.
  "POST /users/me/feeds": { answers: own(422) },
  "PATCH /users/me/feeds/:id": { answers: theirs(200), call: at(insertFeed, (id) => `/users/me/feeds/${id}`) },
  "DELETE /users/me/feeds/:id": { answers: theirs(204), call: at(insertFeed, (id) => `/users/me/feeds/${id}`) },
  "GET /users/me/notices": { answers: own(200) },
  "PUT /users/me/notices": { answers: own(200) },
  "GET /users/me/sign-in-methods": { answers: own(200) },
  "DELETE /users/me/identities": { answers: own(204), call: () => ({ body: { password: "correct horse" } }) },
  "PUT /users/me/avatar": {
    answers: own(200),
    call: async () => ({ body: await image(), headers: { "Content-Type": "image/png" } }),
  },
  "DELETE /users/me/avatar": { answers: own(200) },
  // The name is unguessable, because an image element sends no token.
  "GET /avatars/:name{[\\da-f-]+\\.webp}": {
    answers: all(200),
    call: async ({ server, user }) => {
      const headers = { Authorization: `Bearer ${user.token}`, "Content-Type": "image/png" };
      const answer = await fetch(`${server.apiUrl}/users/me/avatar`, { method: "PUT", headers, body: await image() });
      return { path: (await read(answer, 200, UserProfile)).avatar_url ?? "none" };
    },
  },
  "POST /users/me/export-access": { answers: own(204) },
  "GET /users/me/export": { answers: own(200) },
  [`GET ${base}/retention`]: { answers: own(200) },
  [`PUT ${base}/retention`]: { answers: own(200), call: () => ({ body: forOneMonth }) },
  [`POST ${base}/retention/preview`]: { answers: own(200), call: () => ({ body: forOneMonth }) },
  [`GET ${transcription}/:id/retention`]: { answers: theirs(200), call: at(saved, (id) => `${transcription}/${id}/retention`) },
  "GET /users/me/vocabulary": { answers: own(200) },
  "PUT /users/me/vocabulary": { answers: own(200) },
  "GET /users/me/voice-profiles": { answers: own(200) },
  "PUT /users/me/voice-profiles": { answers: own(200) },
  "DELETE /users/me/voice-profiles": { answers: own(200) },
  "PATCH /users/me/voice-profiles/:id": {
    answers: theirs(200),
    call: async (harness) => ({ path: `/users/me/voice-profiles/${await insertVoice(harness)}`, body: { name: "Ada" } }),
  },
  "DELETE /users/me/voice-profiles/:id": {
    answers: theirs(200),
    call: at(insertVoice, (id) => `/users/me/voice-profiles/${id}`),
  },
  "POST /feedback": { answers: own(201) },
  "POST /contact": { answers: all(201) },
  "POST /waitlist": { answers: all(201) },
  // The server has no mail server and only this machine reaches it, so it shows its mails.
  "GET /mails": { answers: all(200) },
  "GET /mails/:id": { answers: all(404), call: () => ({ path: "/mails/none" }) },

  "POST /api/v1/translations": { answers: own(200) },
  "POST /api/v1/speech": { answers: own(200) },
  [`PUT ${base}/conversations/:conversationId/turns/:turnId`]: {
    answers: "401 401 200 200 200",
    call: () => turnOf(crypto.randomUUID()),
  },
  [`DELETE ${base}/conversations/:conversationId/turns/:turnId`]: {
    answers: theirs(200),
    call: async ({ user }) => {
      const { path, body } = turnOf(crypto.randomUUID());
      await read(await user.call("PUT", path, body), 200, Transcription);
      return { path };
    },
  },
  [`GET ${base}/transcription-history`]: { answers: own(200) },
  // No language model is configured here; answer.test.ts configures one.
  [`POST ${base}/search/answer`]: { answers: own(503) },
  [`GET ${base}/search`]: { answers: own(200), call: () => ({ path: `${base}/search?q=hello` }) },
  [`POST ${base}/sample`]: { answers: own(200) },
  [`GET ${base}/trash`]: { answers: own(200) },
  // A batch answers with a result for each id; another person's id is not found (trash.test.ts).
  [`POST ${base}/trash`]: { answers: own(200), call: async (harness) => ({ body: { ids: [await saved(harness)] } }) },
  [`POST ${base}/trash/restore`]: { answers: own(200), call: async (harness) => ({ body: { ids: [await trashed(harness)] } }) },
  [`POST ${base}/trash/erase`]: { answers: own(200), call: async (harness) => ({ body: { ids: [await trashed(harness)] } }) },
  [`DELETE ${base}/trash`]: { answers: own(200), call: () => ({ path: `${base}/trash?until=2026-03-01T10:00:00Z` }) },
  [`GET ${base}/filing`]: { answers: own(200) },
  // As in the batches above (filing.test.ts).
  [`POST ${base}/filing`]: {
    answers: own(200),
    call: async (harness) => ({ body: { ids: [await saved(harness)], favourite: true } }),
  },
  [`POST ${base}/archive`]: {
    answers: theirs(200),
    call: async (harness) => ({ body: { ids: [await saved(harness)], formats: ["txt"] } }),
  },
  ...folderAndTags(),
  [`GET ${transcription}/:id`]: { answers: theirs(200), call: at(saved, (id) => `${transcription}/${id}`) },
  [`GET ${transcription}/:id/export`]: {
    answers: theirs(200),
    call: at(saved, (id) => `${transcription}/${id}/export?format=txt`),
  },
  "PUT /audio/remove-transcription/:id": {
    answers: theirs(200),
    call: async (harness) => ({ path: `/audio/remove-transcription/${await saved(harness)}`, body: { title: "t" } }),
  },
  "DELETE /audio/remove-transcription/:id": {
    answers: theirs(200),
    call: at(saved, (id) => `/audio/remove-transcription/${id}`),
  },
  [`GET ${transcription}/:id/suggestions`]: {
    answers: theirs(200),
    call: at(saved, (id) => `${transcription}/${id}/suggestions`),
  },
  [`POST ${transcription}/:id/suggestions/declined`]: {
    answers: theirs(200),
    call: async (harness) => ({
      path: `${transcription}/${await saved(harness)}/suggestions/declined`,
      body: { speaker: "1", profile: clientId },
    }),
  },
  [`GET ${transcription}/:id/insights`]: {
    answers: theirs(200),
    call: at(saved, (id) => `${transcription}/${id}/insights`),
  },
  // No language model is configured here; insights.test.ts configures one.
  [`POST ${transcription}/:id/insights`]: {
    answers: theirs(503),
    call: async (harness) => ({ path: `${transcription}/${await saved(harness)}/insights`, body: { kind: "tasks" } }),
  },
  [`PATCH ${transcription}/:id/insights/:insight`]: {
    answers: theirs(404),
    call: async (harness) => ({ path: `${transcription}/${await saved(harness)}/insights/none`, body: { index: 0, done: true } }),
  },
  [`DELETE ${transcription}/:id/insights/:insight`]: {
    answers: theirs(404),
    call: at(saved, (id) => `${transcription}/${id}/insights/none`),
  },
  [`GET ${transcription}/:id/notes`]: { answers: theirs(200), call: at(saved, (id) => `${transcription}/${id}/notes`) },
  [`PUT ${transcription}/:id/notes/:note`]: {
    answers: theirs(200),
    call: async (harness) => ({
      path: `${transcription}/${await saved(harness)}/notes/${clientId}`,
      body: { start: 0, end: 1, colour: "green", text: "", revision: 0 },
    }),
  },
  [`DELETE ${transcription}/:id/notes/:note`]: {
    answers: theirs(204),
    call: at(saved, (id) => `${transcription}/${id}/notes/${clientId}`),
  },
  [`GET ${transcription}/:id/links`]: { answers: theirs(200), call: at(saved, (id) => `${transcription}/${id}/links`) },
  [`POST ${transcription}/:id/links`]: { answers: theirs(201), call: at(saved, (id) => `${transcription}/${id}/links`) },
  [`GET ${transcription}/:id/links/:link/secret`]: { answers: theirs(200), call: at(linkPath, (path) => `${path}/secret`) },
  [`PATCH ${transcription}/:id/links/:link`]: { answers: theirs(200), call: at(linkPath, (path) => path) },
  [`DELETE ${transcription}/:id/links/:link`]: { answers: theirs(204), call: at(linkPath, (path) => path) },
  [`GET ${transcription}/:id/people`]: { answers: theirs(200), call: at(saved, (id) => `${transcription}/${id}/people`) },
  [`POST ${transcription}/:id/people`]: { answers: theirs(201), call: at(saved, (id) => `${transcription}/${id}/people`) },
  [`PATCH ${transcription}/:id/people/:share`]: { answers: theirs(200), call: at(offered, (path) => path) },
  [`DELETE ${transcription}/:id/people/:share`]: { answers: theirs(204), call: at(offered, (path) => path) },
  [`GET ${base}/shared-with-me`]: { answers: own(200) },
  [`POST ${base}/shared-with-me/:share`]: { answers: theirs(200), call: offeredToUser },
  [`DELETE ${base}/shared-with-me/:share`]: { answers: theirs(200), call: offeredToUser },
  // For everybody with the link, or with the cookie of the opened link (sharing.test.ts).
  "POST /api/v1/shared/:link/open": {
    answers: all(200),
    isLinked: true,
    call: async (harness) => {
      const { link } = await shared(harness);
      return { path: `/api/v1/shared/${link.id}/open`, body: { secret: link.secret } };
    },
  },
  "GET /api/v1/shared/:link/audio": { answers: all(200), isLinked: true, call: opened("audio") },
  "GET /api/v1/shared/:link/export": { answers: all(200), isLinked: true, call: opened("export?format=txt") },
  "GET /users/me/insight-templates": { answers: own(200) },
  "POST /users/me/insight-templates": { answers: own(201) },
  "PUT /users/me/insight-templates/:id": {
    answers: theirs(200),
    call: async (harness) => ({ path: await template(harness), body: { name: "n", prompt: "p" } }),
  },
  "PUT /users/me/insight-templates/folders/:folder": {
    answers: theirs(200),
    call: async (harness) => ({
      path: `/users/me/insight-templates/folders/${await named("folders")(harness)}`,
      body: { template: "memo" },
    }),
  },
  "DELETE /users/me/insight-templates/:id": { answers: theirs(200), call: at(template, (path) => path) },
  [`POST ${base}/save-final-transcription`]: {
    answers: own(200),
    call: () => ({
      body: {
        clientId: crypto.randomUUID(),
        title: "t",
        text: "one",
        segments: [],
        sourceLanguage: "en",
        targetLanguage: null,
        date: "2026-03-01T10:00:00Z",
      },
    }),
  },
  [`POST ${base}/upload-and-transcribe`]: { answers: own(202), call: () => ({ body: uploadForm(silentWav(0.3)) }) },
  "POST /api/v1/uploads": {
    answers: own(201),
    call: () => ({ headers: { ...tus, "Upload-Length": "10", "Upload-Metadata": metadata() } }),
  },
  // Uploads can't be downloaded: only HEAD is answered, which the tests of uploads send.
  "GET /api/v1/uploads/:id": {
    answers: "401 401 404 404 404",
    call: async (harness) => ({ path: await uploading(harness), headers: tus }),
  },
  "PATCH /api/v1/uploads/:id": {
    answers: theirs(204),
    call: async (harness) => ({
      path: await uploading(harness),
      body: new Uint8Array(5),
      headers: { ...tus, "Upload-Offset": "0", "Content-Type": "application/offset+octet-stream" },
    }),
  },
  "DELETE /api/v1/uploads/:id": {
    answers: theirs(204),
    call: async (harness) => ({ path: await uploading(harness), headers: tus }),
  },
  [`POST ${transcription}/:id/audio-access`]: {
    answers: theirs(204),
    call: at(heard, (id) => `${transcription}/${id}/audio-access`),
  },
  [`GET ${transcription}/:id/audio`]: { answers: theirs(200), call: at(heard, (id) => `${transcription}/${id}/audio`) },
  // The job stores the peaks while it decodes the audio.
  [`GET ${transcription}/:id/peaks`]: {
    answers: theirs(200),
    call: at(
      async (harness) => (await settled(harness.user, await heard(harness))).id,
      (id) => `${transcription}/${id}/peaks`,
    ),
  },
  [`GET ${transcription}/:id/subtitles`]: {
    answers: theirs(200),
    call: at(saved, (id) => `${transcription}/${id}/subtitles`),
  },
  [`GET ${transcription}/:id/video`]: { answers: theirs(200), call: at(heard, (id) => `${transcription}/${id}/video`) },
  [`GET ${transcription}/:id/audio/picture`]: {
    answers: theirs(200),
    call: at(filmed, (id) => `${transcription}/${id}/audio/picture`),
  },
  [`GET ${transcription}/:id/audio/captioned`]: {
    answers: theirs(200),
    call: async (harness) => {
      const id = await filmed(harness);
      await insertCaptioned(harness, id, "ready");
      return { path: `${transcription}/${id}/audio/captioned` };
    },
  },
  [`POST ${transcription}/:id/captioned`]: {
    answers: theirs(202),
    call: async (harness) => ({ path: `${transcription}/${await filmed(harness)}/captioned`, body: { content: "original" } }),
  },
  [`DELETE ${transcription}/:id/captioned`]: {
    answers: theirs(204),
    call: async (harness) => {
      const id = await filmed(harness);
      await insertCaptioned(harness, id, "failed");
      return { path: `${transcription}/${id}/captioned` };
    },
  },
  [`GET ${base}/events`]: { answers: own(200) },
  [`GET ${transcription}/:id/events`]: { answers: theirs(200), call: at(saved, (id) => `${transcription}/${id}/events`) },
  [`POST ${base}/transcribe-url`]: {
    answers: own(422),
    call: () => ({ body: { clientId: crypto.randomUUID(), url: "http://127.0.0.1/x", sourceLanguage: "en" } }),
  },

  "GET /subscriptions/me": { answers: own(200) },
  "GET /subscriptions/account/subscription": { answers: own(200) },
  // All have subscribed already, without a payment that could be cancelled.
  "POST /subscriptions/create-checkout-session": { answers: own(409) },
  "POST /subscriptions/account/checkout-session": { answers: own(409) },
  "POST /subscriptions/cancel": { answers: own(404) },
  "POST /subscriptions/account/cancel-subscription": { answers: own(404) },
  "POST /subscriptions/account/billing-portal": { answers: own(404) },
  "GET /subscriptions/account/invoices": { answers: own(200) },
  "GET /api/v1/usage": { answers: own(200) },
  "GET /api/v1/storage": { answers: own(200) },
  // The path is unguessable, like a payment provider's.
  "GET /billing/test/:token": { answers: all(200), call: at(checkoutPage, (path) => path) },
  "POST /billing/test/:token/:payment": { answers: all(303), call: at(checkoutPage, (path) => `${path}/cancel`) },

  [`GET ${vaults}`]: { answers: own(200) },
  [`POST ${vaults}/vault`]: { answers: "401 401 201 409 201", alone: true, call: ({ keys }) => ({ body: keys.vault }) },
  [`PUT ${vaults}/vault`]: {
    answers: theirs(200),
    call: ({ keys }) => ({ body: { sealed: keys.vault.sealed, revision: 0 } }),
    alone: true,
  },
  [`DELETE ${vaults}/vault`]: { answers: own(204), alone: true },
  [`POST ${vaults}`]: {
    answers: "401 401 409 201 409",
    call: async ({ keys }) => ({ body: { clientId: crypto.randomUUID(), size: 10, meta: await metaOf(keys, "A talk") } }),
  },
  [`GET ${vaults}/:id`]: { answers: theirs(200), call: at(inVault, (id) => `${vaults}/${id}`) },
  [`PATCH ${vaults}/:id`]: {
    answers: theirs(200),
    call: async (harness) => ({
      path: `${vaults}/${await inVault(harness)}`,
      body: { meta: await metaOf(harness.keys, "Another name") },
    }),
  },
  [`GET ${vaults}/:id/links`]: { answers: theirs(200), call: at(inVault, (id) => `${vaults}/${id}/links`) },
  [`POST ${vaults}/:id/links`]: {
    answers: theirs(201),
    call: async (harness) => {
      const { link, item } = await sharedItem(harness);
      const { sealed } = link;
      return {
        path: `${vaults}/${item.id}/links`,
        body: { sealed, audio: true, text: false, locked: false, expiresAt: null },
      };
    },
  },
  [`DELETE ${vaults}/:id/links/:link`]: {
    answers: theirs(204),
    call: async (harness) => {
      const { link, item } = await sharedItem(harness);
      return { path: `${vaults}/${item.id}/links/${link.id}` };
    },
  },
  // For everybody with the link, or with the cookie of the opened link (vault/links.test.ts).
  "POST /api/v1/shared-recordings/:link/open": {
    answers: all(200),
    isLinked: true,
    call: async (harness) => {
      const { link } = await sharedItem(harness);
      return { path: `${recordings}/${link.id}/open`, body: { secret: link.secret } };
    },
  },
  "GET /api/v1/shared-recordings/:link/content": {
    answers: all(200),
    isLinked: true,
    call: async (harness) => {
      const visitor = visitRecording(harness.server, (await sharedItem(harness)).link);
      await visitor.given();
      return { path: `${visitor.path}/content`, headers: { Cookie: visitor.cookie() } };
    },
  },
  [`PUT ${vaults}/:id/content`]: {
    answers: theirs(200),
    call: async ({ user, keys }) => ({
      path: `${vaults}/${(await beginItem(user, keys, 30)).id}/content?offset=0`,
      body: new TextEncoder().encode("age-encryption.org/v1\n"),
      headers: octets,
    }),
  },
  [`PUT ${vaults}/:id/text`]: {
    answers: theirs(200),
    call: async (harness) => ({
      path: `${vaults}/${await inVault(harness)}/text`,
      body: new TextEncoder().encode("age-encryption.org/v1\n"),
      headers: octets,
    }),
  },
  [`GET ${vaults}/:id/content`]: { answers: theirs(200), call: at(inVault, (id) => `${vaults}/${id}/content`) },
  [`GET ${vaults}/:id/text`]: {
    answers: theirs(200),
    call: async ({ server, user, ...harness }) => {
      const id = await inVault({ server, user, ...harness });
      const headers = { Authorization: `Bearer ${user.token}`, ...octets };
      const text = new TextEncoder().encode("age-encryption.org/v1\n");
      await fetch(`${server.apiUrl}${vaults}/${id}/text`, { method: "PUT", headers, body: text });
      return { path: `${vaults}/${id}/text` };
    },
  },
  [`DELETE ${vaults}/:id`]: { answers: theirs(204), call: at(inVault, (id) => `${vaults}/${id}`) },
  [`DELETE ${vaults}/:id/plaintext`]: { answers: theirs(204), call: at(inVault, (id) => `${vaults}/${id}/plaintext`) },

  "GET /blog": { answers: all(200) },
  "GET /blog/popular": { answers: all(200) },
  "GET /blog/:slug": { answers: all(404), call: () => ({ path: "/blog/none" }) },
  "POST /blog/:id/like": { answers: all(200), call: reader("like") },
  "POST /blog/:id/dislike": { answers: all(200), call: reader("dislike") },
  "POST /blog/:id/remove-reaction": { answers: all(200), call: reader("remove-reaction") },
  "POST /blog/:id/view": { answers: all(200), call: reader("view") },
  "GET /blog/images/:id": {
    answers: all(200),
    call: async ({ superuser }) => {
      const answer = await superuser.call("POST", "/admin/blog/upload-image", await imageForm());
      return { path: new URL((await read(answer, 201, ImageAnswer)).imageUrl).pathname };
    },
  },

  "GET /admin/blog": { answers: superusers(200) },
  "POST /admin/blog": { answers: superusers(201) },
  "POST /admin/blog/bulk": {
    answers: superusers(200),
    call: async (harness) => ({ body: { ids: [await written(harness)], action: "publish" } }),
  },
  "GET /admin/blog/slug": { answers: superusers(200), call: () => ({ path: "/admin/blog/slug?title=t" }) },
  [`GET ${oneBlog}`]: { answers: superusers(200), call: at(written, (id) => `/admin/blog/${id}`) },
  [`PUT ${oneBlog}`]: {
    answers: superusers(200),
    call: async (harness) => ({ path: `/admin/blog/${await written(harness)}`, body: { title: "t", content: "c", revision: 1 } }),
  },
  [`DELETE ${oneBlog}`]: { answers: superusers(204), call: at(written, (id) => `/admin/blog/${id}`) },
  "POST /admin/blog/upload-image": { answers: superusers(201), call: async () => ({ body: await imageForm() }) },
  "GET /admin/blog/analytics": { answers: superusers(200) },
  "GET /admin/blog/scheduled-status": { answers: superusers(200) },
  "POST /admin/blog/trigger-scheduled": { answers: superusers(202) },
  // Scheduled posting is off.
  "POST /admin/blog/skip-next-scheduled": { answers: superusers(409) },
  "POST /admin/blog/generate": { answers: superusers(503) },
  "POST /admin/blog/generate-unique": { answers: superusers(503) },
  "GET /admin/blog/diversity-stats": { answers: superusers(200) },
  "GET /admin/metrics": { answers: superusers(200) },
  "GET /admin/users": { answers: superusers(200) },
  "GET /admin/users/:id": { answers: superusers(200), call: at(member, (id) => `/admin/users/${id}`) },
  "PATCH /admin/users/:id/subscription": {
    answers: superusers(200),
    call: async (harness) => ({
      path: `/admin/users/${await member(harness)}/subscription`,
      body: { plan: "premium", periodEnd: new Date(Date.now() + 86_400_000).toISOString(), reason: "a reason" },
    }),
  },
  ...Object.fromEntries(
    Object.entries({
      "POST sign-out": { reason: "a reason" },
      "PATCH ": { superuser: false, reason: "a reason" },
      "POST confirm": { reason: "a reason" },
      "PATCH blocked": { blocked: true, reason: "a reason" },
      "DELETE ": { reason: "a reason" },
    }).map(([name, body]): [string, Permission] => {
      const [method = "", action = ""] = name.split(" ");
      const end = action === "" ? "" : `/${action}`;
      const call = async (harness: Harness) => ({ path: `/admin/users/${await member(harness)}${end}`, body });
      return [`${method} /admin/users/:id${end}`, { answers: superusers(method === "DELETE" ? 204 : 200), call }];
    }),
  ),
  "GET /admin/audit": { answers: superusers(200) },
  "GET /admin/inbox": { answers: superusers(200) },
  "PATCH /admin/inbox/:id": {
    answers: superusers(200),
    call: async (harness) => ({ path: `/admin/inbox/${await message(harness)}`, body: { handled: true } }),
  },
  "DELETE /admin/inbox/:id": { answers: superusers(204), call: at(message, (id) => `/admin/inbox/${id}`) },
  "GET /admin/waitlist": { answers: superusers(200) },
  "GET /admin/waitlist.csv": { answers: superusers(200) },
  "GET /admin/jobs": { answers: superusers(200) },
  "GET /admin/backups": { answers: superusers(200) },
  "POST /admin/backups": { answers: superusers(202) },
  "POST /admin/jobs/:id/retry": { answers: superusers(404), call: () => ({ path: "/admin/jobs/none/retry" }) },
  "POST /admin/jobs/:id/cancel": { answers: superusers(404), call: () => ({ path: "/admin/jobs/none/cancel" }) },
  "GET /admin/models": { answers: superusers(200) },
  "GET /admin/models/export": { answers: superusers(200) },
  "PUT /admin/models/choices": { answers: superusers(200) },
  "POST /admin/models/import": { answers: superusers(400), call: () => ({ body: new Uint8Array(1), headers: octets }) },
  ...Object.fromEntries(
    ["install", "pause", "resume", "cancel"].map((command): [string, Permission] => [
      `POST /admin/models/:id/${command}`,
      { answers: superusers(404), call: () => ({ path: `/admin/models/none/${command}` }) },
    ]),
  ),
  "DELETE /admin/models/:id": { answers: superusers(404), call: () => ({ path: "/admin/models/none" }) },
};
