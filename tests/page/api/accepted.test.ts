import { describe, expect, test } from "vitest";
import { createUsersApi } from "#src/api/account.ts";
import { createBlogApi } from "#src/api/blog.ts";
import { createBlogAdminApi } from "#src/api/blog-admin.ts";
import { createEnginesApi } from "#src/api/engines.ts";
import { ApiError, createCall, createPlainSend } from "#src/api/http.ts";
import { createAuthApi } from "#src/api/session.ts";
import { createSubscriptionsApi } from "#src/api/subscription.ts";
import { createTranscriptionsApi } from "#src/api/transcriptions.ts";
import { readToken } from "#src/features/session/jwt.ts";
import { makeToken } from "#tests/fixtures/token.ts";

// What the page accepts from a server that does no more than SPEC.md says.

/** The calls against a server with these answers, by method and path; any other call gets 404. */
function against(answers: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const ask = async (url: string | URL | Request, init?: RequestInit) => {
    const key = `${init?.method ?? "GET"} ${String(url).split("?")[0]}`;
    asked.push(key);
    const answer = answers[key];
    if (answer instanceof Response) return answer.clone();
    return key in answers ? Response.json(answer) : Response.json({ message: "Not found" }, { status: 404 });
  };
  const send = createPlainSend("", ask);
  return { asked, send, call: createCall(send) };
}

const history = "GET /api/v1/audio-transcriptions/transcription-history";
const profile = { id: "", name: "", avatar_url: null, isSuperUser: false, planType: "free", subscriptionId: null };

describe("accepted profile", () => {
  // SPEC 3: "User profile (from /users/me)"
  // SPEC 7 Users and subscriptions: "GET /users/me"
  test.each([
    [{ email: "a@b" }, {}],
    [
      { email: "a@b", name: null, avatarUrl: "/a.png", super_user: true, plan_type: "premium" },
      { avatar_url: "/a.png", isSuperUser: true, planType: "premium" },
    ],
    [
      { email: "a@b", avatar_url: "/b.png", is_superuser: true, planType: "pro", subscriptionId: 7 },
      { avatar_url: "/b.png", isSuperUser: true, planType: "pro", subscriptionId: "7" },
    ],
    [{ email: "a@b", isSuperUser: "yes", plan_type: 3, id: 7, more: { of: "it" } }, { id: "7" }],
  ])("accepts a profile in any spelling of SPEC.md, with defaults for missing fields (%#)", async (sent, wanted) => {
    const { call } = against({ "GET /users/me": sent });
    expect(await createUsersApi(call).me()).toEqual({ ...profile, email: "a@b", ...wanted });
  });

  // SPEC 3: "Login response: accessToken (string) and optionally user."
  test("accepts any user in the answer to a login", async () => {
    for (const user of [undefined, null, "ada", { name: "Ada" }]) {
      const { call } = against({ "POST /auth/login": { accessToken: "t", user } });
      expect(await createAuthApi(call).login({ email: "a@b", password: "x" })).toEqual({ accessToken: "t", user: undefined });
    }
  });
});

test.each([
  [{ sub: "ada" }, "ada"],
  [{ sub: "", userId: 7, email: "a@b" }, "7"],
  [{ email: "a@b" }, "a@b"],
  [{}, "unnamed"],
])("names the token's user from the existing claims: %j", (claims, userId) => {
  expect(readToken(makeToken({ ...claims, exp: 1_800_000_000 })).userId).toBe(userId);
});

describe("accepted transcription", () => {
  const bare = { id: 1, title: "A", text: "b", translatedText: "", sourceLanguage: "en", date: "2026-11-20T10:00:00Z" };
  const filled = {
    ...bare,
    id: "1",
    targetLanguage: null,
    origin: null,
    durationSeconds: null,
    hasAudio: false,
    progress: null,
    error: null,
    status: undefined,
  };
  const whole = { ...filled, segments: [], fileName: null, engine: null };

  // SPEC 3: "Transcription: id, title, text, translatedText"
  test("accepts a transcription with SPEC.md's fields alone, and skips anything else", async () => {
    const data = [bare, { title: "no id" }, { ...bare, id: "2", origin: "elsewhere", progress: 40, error: "bad", text: null }];
    const { call, send } = against({ [history]: { data } });
    const answer = await createTranscriptionsApi(call, send).history({ page: 1, limit: 20 });
    expect(answer.data).toEqual([filled, { ...filled, id: "2", text: "" }]);
    expect(answer.pagination).toEqual({ page: 1, limit: 2, total: 2, totalPages: 1 });
  });

  test("finds a transcription in the history if there is no call for one", async () => {
    const { call, send, asked } = against({
      [history]: { data: [bare], pagination: { page: 1, limit: 100, total: 150, totalPages: 2 } },
    });
    const api = createTranscriptionsApi(call, send);
    expect(await api.get("1")).toEqual(whole);
    await expect(api.get("3")).rejects.toMatchObject({ code: "notFound" });
    expect(asked.filter((one) => one === history)).toHaveLength(3);
  });

  test("does not search the history when the server says that it is gone", async () => {
    const gone = Response.json({ message: "Gone.", code: "notFound" }, { status: 404 });
    const { call, send, asked } = against({ "GET /api/v1/audio-transcriptions/transcription/1": gone });
    await expect(createTranscriptionsApi(call, send).get("1")).rejects.toMatchObject({ code: "notFound" });
    expect(asked).toHaveLength(1);
  });

  // SPEC 7 Transcriptions: "DELETE /audio/remove-transcription/{id}"
  test("the page accepts any answer to a deletion", async () => {
    for (const answer of [{ message: "Removed" }, new Response(null, { status: 204 }), new Response("OK")]) {
      const { call, send } = against({ "DELETE /audio/remove-transcription/1": answer });
      expect(await createTranscriptionsApi(call, send).remove("1")).toEqual({});
    }
  });
});

// SPEC 3: "Subscription: id, status"
// SPEC 7 Users and subscriptions: "GET /subscriptions/account/subscription"
test("accepts a subscription with only an id and a status", async () => {
  const filled = {
    id: "9",
    status: "active",
    plan: "premium",
    interval: null,
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
    granted: undefined,
  };
  const { call } = against({
    "GET /subscriptions/account/subscription": { id: 9, status: "active" },
    "GET /subscriptions/me": { subscription: null },
    "POST /subscriptions/account/cancel-subscription": { done: "yes" },
  });
  const api = createSubscriptionsApi(call);
  expect(await api.find()).toEqual(filled);
  expect(await api.details()).toBeNull();
  await api.cancel();
});

describe("accepted blog answers", () => {
  const bare = { id: 1, title: "A", slug: "a" };
  // SPEC 3: "Blog post: id, title, slug"
  // SPEC 3: "Blog list response: posts, total, page, totalPages."
  // SPEC 7 Blog, public: "The response is an array, or {posts,total,page,totalPages}, or a single post."
  test.each([
    [[bare, { nothing: true }], 1],
    [{ posts: [bare], total: 30, page: 2, totalPages: 3 }, 30],
    [{ posts: [bare] }, 1],
    [{ ...bare, topics: null, language: null, views: null }, 1],
  ])("accepts a list of posts in each shape of SPEC.md (%#)", async (sent, total) => {
    const { call } = against({ "GET /blog": sent });
    const answer = await createBlogApi(call).list({ page: 1, topics: [], language: "", generated: null }, "en");
    expect(answer).toMatchObject({ total, posts: [{ id: "1", title: "A", topics: [], language: "en", views: 0 }] });
    expect(answer.posts).toHaveLength(1);
  });

  test("the page accepts an empty answer to a reaction", async () => {
    const { call } = against({ "POST /blog/1/like": new Response(null), "POST /blog/1/dislike": { success: true, likes: "3" } });
    const api = createBlogApi(call);
    expect(await api.react({ id: "1", reaction: "like" }, "somebody")).toEqual({});
    expect(await api.react({ id: "1", reaction: "dislike" }, "somebody")).toEqual({});
  });

  test("changes posts one by one if the server can't change several", async () => {
    const { call, asked } = against({ "PUT /admin/blog/1": bare, "PUT /admin/blog/2": bare });
    expect(await createBlogAdminApi(call).bulk("publish", ["1", "2"])).toEqual(["1", "2"]);
    expect(asked).toEqual(["POST /admin/blog/bulk", "PUT /admin/blog/1", "PUT /admin/blog/2"]);
  });
});

describe("call that the server does not know", () => {
  test.each([
    ["/feedback", "POST", 404, "notOffered"],
    ["/users/me", "PATCH", 405, "notOffered"],
    ["/users/me/sessions", "GET", 404, "notOffered"],
    ["/users/me", "GET", 404, "notFound"],
    ["/blog/a", "GET", 404, "notFound"],
    ["/blog/1/view", "POST", 404, "notOffered"],
    ["/admin/blog/7", "PUT", 404, "notFound"],
    ["/admin/blog/slug?title=a", "GET", 404, "notOffered"],
    ["/audio/remove-transcription/7", "DELETE", 404, "notFound"],
    ["/subscriptions/account/subscription", "GET", 404, "notFound"],
    ["/subscriptions/account/invoices", "GET", 404, "notOffered"],
  ])("treats %s by %s and %i as %s", async (path, method, status, code) => {
    const send = createPlainSend("", async () => new Response("Nothing here", { status }));
    await expect(send(path, { method })).rejects.toMatchObject({ code, status });
  });

  test("assumes no engines and SPEC.md's provider when the calls are unknown", async () => {
    const { call } = against({});
    expect((await createEnginesApi(call).engines()).speech.languages).toEqual([]);
    expect(await createAuthApi(call).providers()).toEqual([{ id: "google", name: "Google" }]);
  });
});

test("shows a message with an unknown code as it is, and recognizes SPEC.md section 6's message without a code", async () => {
  const answers = [
    { message: "Closed on Sundays.", code: "closedOnSundays" },
    { message: "Unauthorized: Admin access required" },
  ];
  const errors = answers.map((body) => {
    const send = createPlainSend("", async () => Response.json(body, { status: 401 }));
    return send("/admin/blog").catch((error: unknown) => error);
  });
  expect(await Promise.all(errors)).toMatchObject([
    { said: "message", message: "Closed on Sundays.", code: "unauthorized" },
    { code: "adminRequired" },
  ]);
  for (const error of await Promise.all(errors)) expect(error).toBeInstanceOf(ApiError);
});
