import { expect } from "vitest";
import {
  ActiveSessionsAnswer,
  AdminJobsAnswer,
  AdminMetrics,
  AdminUsersAnswer,
  AuditAnswer,
  BillingHistory,
  BlogAnalytics,
  BlogListAnswer,
  BlogPost,
  HistoryAnswer,
  InboxAnswer,
  LoginAnswer,
  OwnSubscriptionAnswer,
  ScheduledStatus,
  SearchAnswer,
  SignInMethodsAnswer,
  StorageUse,
  Transcription,
  TrashAnswer,
  Usage,
  UserProfile,
  VaultAnswer,
  VocabularyAnswer,
  VoiceProfilesAnswer,
  WaitlistAnswer,
} from "#contract/index.ts";
import { password } from "#tests/fixtures/databases/acts.ts";
import { asPerson, base, type Person, post, read } from "#tests/server/harness.ts";
import type { Release, Row } from "./releases.ts";

type Rows = ReadonlyMap<string, readonly Row[]>;
type Server = { apiUrl: string };

/**
 * Uses the migrated data of an earlier release: Ada is still signed in, signs in with her old password, and finds all
 * her data, also as a superuser. @param before the rows before the migration
 */
export async function readThrough(server: Server, { refreshToken }: Release, before: Rows): Promise<void> {
  const refreshed = await post(server, "/auth/refresh", {}, { Cookie: `parlance_refresh=${refreshToken}` });
  await read(refreshed, 200, LoginAnswer);
  const email = "ada@example.org";
  const { accessToken } = await read(await post(server, "/auth/login", { email, password }), 200, LoginAnswer);
  const ada = asPerson(server, accessToken, email);
  await readOwn(ada, before);
  await readTranscriptions(ada, before);
  await readBlog(server, ada, before);
  await readAdministration(ada, before);
}

async function readOwn(ada: Person, before: Rows): Promise<void> {
  const count = (table: string) => before.get(table)?.length ?? 0;
  const profile = await read(await ada.call("GET", "/users/me"), 200, UserProfile);
  expect(profile.email).toBe("ada@example.org");
  const { sessions } = await read(await ada.call("GET", "/users/me/sessions"), 200, ActiveSessionsAnswer);
  expect(sessions).toHaveLength(2);
  await read(await ada.call("GET", "/users/me/sign-in-methods"), 200, SignInMethodsAnswer);
  const vocabulary = await read(await ada.call("GET", "/users/me/vocabulary"), 200, VocabularyAnswer);
  expect(vocabulary.text).toBe(before.has("vocabularies") ? "Lovelace\nBabbage" : "");
  const subscription = await ada.call("GET", "/subscriptions/me");
  if (!before.has("subscriptions")) expect(subscription.status).toBe(404);
  else expect((await read(subscription, 200, OwnSubscriptionAnswer)).subscription?.status).toBe("active");
  const { invoices } = await read(await ada.call("GET", "/subscriptions/account/invoices"), 200, BillingHistory);
  expect(invoices).toHaveLength(count("invoices"));
  const { usedTranslationMinutes } = await read(await ada.call("GET", "/api/v1/usage"), 200, Usage);
  const heard = (before.get("usage") ?? []).reduce((sum, { samples }) => sum + Number(samples), 0);
  expect(usedTranslationMinutes).toBeCloseTo(heard / 16_000 / 60, 5);
  await read(await ada.call("GET", "/api/v1/storage"), 200, StorageUse);
  const { items } = await read(await ada.call("GET", "/api/v1/encrypted-audio"), 200, VaultAnswer);
  expect(items).toHaveLength(count("vault_items"));
  const { profiles } = await read(await ada.call("GET", "/users/me/voice-profiles"), 200, VoiceProfilesAnswer);
  expect(profiles.map(({ name }) => name)).toEqual(before.has("voice_profiles") ? ["Charles"] : []);
}

async function readTranscriptions(ada: Person, before: Rows): Promise<void> {
  const owner = before.get("users")?.find(({ email }) => email === ada.email)?.id;
  const own = (before.get("transcriptions") ?? []).filter(({ user_id }) => user_id === owner);
  const kept = own.filter(({ deleted_at }) => deleted_at === null);
  expect(kept.length).toBeGreaterThan(3);
  for (const sort of ["newest", "title"]) {
    const { data } = await read(
      await ada.call("GET", `${base}/transcription-history?limit=100&sort=${sort}`),
      200,
      HistoryAnswer,
    );
    expect(data.map(({ title }) => title).toSorted()).toEqual(kept.map(({ title }) => title).toSorted());
  }
  for (const { id, title, text, translated_text } of kept) {
    const one = await read(await ada.call("GET", `${base}/transcription/${id}`), 200, Transcription);
    expect([one.title, one.text, one.translatedText ?? ""]).toEqual([title, text, translated_text]);
  }
  const found = await read(await ada.call("GET", `${base}/transcription-history?search=EVERYBODY`), 200, HistoryAnswer);
  expect(found.data.map(({ title }) => title)).toEqual(["Über alles"]);
  // The search index is built from the old data while the server runs.
  const heard = await read(await ada.call("GET", `${base}/search?q=Everybody`), 200, SearchAnswer);
  expect([heard.hits.map(({ title }) => title), heard.behind]).toEqual([["Über alles"], expect.any(Number)]);
  const trash = await read(await ada.call("GET", `${base}/trash`), 200, TrashAnswer);
  expect(trash.data.map(({ title }) => title)).toEqual(["Deleted"]);
}

async function readBlog(server: Server, ada: Person, before: Rows): Promise<void> {
  const { posts } = await read(await fetch(`${server.apiUrl}/blog`), 200, BlogListAnswer);
  expect(posts.map(({ title }) => title)).toEqual(before.has("blog_posts") ? ["News"] : []);
  await read(await ada.call("GET", "/admin/blog/analytics?days=30"), 200, BlogAnalytics);
  await read(await ada.call("GET", "/admin/blog/scheduled-status"), 200, ScheduledStatus);
  if (!before.has("blog_posts")) return;
  // Also by the post's former address.
  for (const slug of ["news", "old-news"]) {
    const post = await read(await fetch(`${server.apiUrl}/blog/${slug}`), 200, BlogPost);
    expect(post.content).toContain("/blog/images/");
    expect(JSON.stringify(post)).not.toContain("old.example.org");
  }
}

async function readAdministration(ada: Person, before: Rows): Promise<void> {
  const { users } = await read(await ada.call("GET", "/admin/users"), 200, AdminUsersAnswer);
  expect(users).toHaveLength(before.get("users")?.length ?? 0);
  await read(await ada.call("GET", "/admin/metrics?days=7"), 200, AdminMetrics);
  const { jobs } = await read(await ada.call("GET", "/admin/jobs"), 200, AdminJobsAnswer);
  expect(jobs).toHaveLength(1);
  const { messages } = await read(await ada.call("GET", "/admin/inbox"), 200, InboxAnswer);
  expect(messages).toHaveLength(before.get("inbox")?.length ?? 0);
  await read(await ada.call("GET", "/admin/waitlist"), 200, WaitlistAnswer);
  const { entries } = await read(await ada.call("GET", "/admin/audit"), 200, AuditAnswer);
  expect(entries).toHaveLength(before.get("audit_log")?.length ?? 0);
}
