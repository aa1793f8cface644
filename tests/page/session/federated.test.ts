import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import type { FederatedProvider } from "#contract/index.ts";
import {
  selectEmailToConfirm,
  selectIsProfileMissing,
  selectIsUnreachable,
  selectReturnRefusal,
} from "#machines/session/federated-return.ts";
import {
  selectIsInWindow,
  selectIsLeaving,
  selectProvider,
  selectProviders,
  selectRefusal,
} from "#machines/session/federated-sign-in.ts";
import { ApiError } from "#src/api/http.ts";
import { createFederated, startOf } from "#src/features/session/create-federated.ts";
import { createFederatedReturn } from "#src/features/session/create-federated-return.ts";
import { type OAuthCallback, takeOAuthCallback } from "#src/features/session/oauth-callback.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { ada, settled } from "#tests/machines/session/harness.ts";

const api = "https://api.parlance.example";
const token = makeToken({ sub: "ada", exp: 4e9, sid: "s1" });

describe("callback address of a federated sign-in", () => {
  const arriveAt = (path: string) => {
    const replaced: unknown[] = [];
    const history = { state: "kept", replaceState: (...args: unknown[]) => void replaced.push(args) };
    return { callback: takeOAuthCallback({ href: `https://parlance.example${path}` }, history), replaced };
  };

  // SPEC 2 Navigation: "shows a success toast and removes the parameter from the URL"
  test.each([
    ["/auth/google/callback?token=t", { token: "t", code: null, error: null }, "/auth/google/callback"],
    ["/auth/google/callback/?lng=da&token=t#x", { token: "t", code: null, error: null }, "/auth/google/callback/?lng=da#x"],
    ["/auth/google/callback?error=accountExists", { token: null, code: null, error: "accountExists" }, "/auth/google/callback"],
    ["/auth/google/callback?code=c", { token: null, code: "c", error: null }, "/auth/google/callback"],
    ["/auth/google/callback", { token: null, code: null, error: null }, "/auth/google/callback"],
  ])("loses its parameters at %s in the same history entry", (path, callback, left) => {
    expect(arriveAt(path)).toEqual({ callback, replaced: [["kept", "", left]] });
  });

  test.each(["/", "/dashboard?token=t", "/auth/google?token=t", "/auth/google/callback/more?token=t"])(
    "the callback address of a federated sign-in is ignored at %s",
    (path) => {
      expect(arriveAt(path)).toEqual({ callback: undefined, replaced: [] });
    },
  );
});

/** The sign-in buttons in a page whose browser opens a popup, or blocks it. */
const google = { id: "google", name: "Google" };
const work = { id: "work", name: "Work" };
async function openButton({ providers = [google] as FederatedProvider[] | Error, opens = true } = {}) {
  const page = new EventTarget();
  const popup = { closed: false, focus: () => {} };
  const done = { opened: [] as string[], left: [] as string[], remembered: [] as string[], begun: [] as string[] };
  const actor = createFederated({
    page: Object.assign(page, {
      open: (url: string) => {
        done.opened.push(url);
        return opens ? popup : null;
      },
      location: { assign: (url: string | URL) => void done.left.push(String(url)) },
      screenX: 0,
      screenY: 0,
      outerWidth: 1200,
      outerHeight: 800,
    }),
    start: (provider) => api + startOf(provider),
    loadProviders: async () => {
      if (providers instanceof Error) throw providers;
      return providers;
    },
    target: { remember: (path) => void done.remembered.push(path) },
    begin: (accessToken) => void done.begun.push(accessToken),
  }).start();
  actor.send({ type: "provider.requested" });
  await settled();
  const say = (data: unknown, origin = api) => page.dispatchEvent(Object.assign(new Event("message"), { data, origin }));
  return { actor, page, popup, done, say, now: () => actor.getSnapshot() };
}

describe("provider's sign-in button", () => {
  test("the provider's sign-in button is shown only for a known provider, and asked for again otherwise", async () => {
    expect(selectProvider((await openButton()).now())).toBe("Google");
    expect(selectProvider((await openButton({ providers: [] })).now())).toBeNull();
    const { actor, now } = await openButton({ providers: new Error("offline") });
    expect(selectProvider(now())).toBeNull();
    expect(now().matches("unknown")).toBe(true);
    actor.stop();
  });

  // SPEC 7 Auth: "GET /auth/google"
  test("opens a window, remembers the path, and signs in with the window's token", async () => {
    const { actor, done, say, now } = await openButton();
    actor.send({ type: "signIn.requested", path: "/signup?lng=da", provider: "google" });
    expect(done).toMatchObject({ opened: [`${api}/auth/google?popup=1`], left: [], remembered: ["/signup?lng=da"] });
    expect(selectIsInWindow(now())).toBe(true);
    say({ type: "AUTH_SUCCESS", accessToken: token });
    expect(done.begun).toEqual([token]);
    expect(selectIsInWindow(now())).toBe(false);
  });

  test("the provider's sign-in button exists once per provider and leads to it", async () => {
    const { actor, done, now } = await openButton({ providers: [google, work] });
    expect(selectProviders(now())).toEqual([google, work]);
    actor.send({ type: "signIn.requested", path: "/signin", provider: "work" });
    expect(done.opened).toEqual([`${api}/auth/providers/work?popup=1`]);
    expect(selectProvider(now())).toBe("Work");
  });

  test.each(["/signin", "/signin?lng=da", "/signin#x"])("the button does not remember %s", async (path) => {
    const { actor, done } = await openButton();
    actor.send({ type: "signIn.requested", path, provider: "google" });
    expect(done.remembered).toEqual([]);
  });

  test("leaves the page if no window can be opened, and returns after Back", async () => {
    const { actor, page, done, now } = await openButton({ opens: false });
    actor.send({ type: "signIn.requested", path: "/signin", provider: "google" });
    expect(done.left).toEqual([`${api}/auth/google`]);
    expect(selectIsLeaving(now())).toBe(true);
    page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    expect(selectIsLeaving(now())).toBe(false);
  });

  test("notices a closed window when the page is seen again", async () => {
    const { actor, page, popup, now } = await openButton();
    actor.send({ type: "signIn.requested", path: "/signin", provider: "google" });
    page.dispatchEvent(new Event("focus"));
    expect(selectIsInWindow(now())).toBe(true);
    popup.closed = true;
    page.dispatchEvent(new Event("focus"));
    expect(selectIsInWindow(now())).toBe(false);
  });

  // SPEC 4 Federated sign-in message: "A window message of type AUTH_SUCCESS, from the API origin"
  test.each([
    "https://evil.example",
    "https://parlance.example",
    "http://api.parlance.example",
    "https://api.parlance.example:8443",
    "https://api.parlance.example.evil.com",
    "null",
    "",
  ])("ignores a sign-in message from %j", async (origin) => {
    const { done, say, now } = await openButton();
    say({ type: "AUTH_SUCCESS", accessToken: token }, origin);
    say({ type: "AUTH_FAILURE", code: "providerFailed" }, origin);
    expect(done.begun).toEqual([]);
    expect(selectRefusal(now())).toBeNull();
  });

  test.each([
    null,
    undefined,
    7,
    "AUTH_SUCCESS",
    [],
    {},
    { type: "AUTH_SUCCESS" },
    { type: "AUTH_SUCCESS", accessToken: 7 },
    { type: "x", accessToken: token },
  ])("ignores the sign-in message %j", async (data) => {
    const { done, say, now } = await openButton();
    say(data);
    expect(done.begun).toEqual([]);
    expect(selectRefusal(now())).toBeNull();
  });

  test("a sign-in by a provider shows why it failed until the next attempt", async () => {
    const { actor, done, say, now } = await openButton();
    const refusals: unknown[] = [];
    for (const message of [
      { type: "AUTH_FAILURE", code: "accountExists" },
      { type: "AUTH_FAILURE", code: "a code of tomorrow" },
      { type: "AUTH_SUCCESS", accessToken: "no token at all" },
    ]) {
      actor.send({ type: "signIn.requested", path: "/signin", provider: "google" });
      expect(selectRefusal(now())).toBeNull();
      say(message);
      refusals.push(selectRefusal(now()));
    }
    expect(refusals).toEqual(["accountExists", "providerFailed", "providerFailed"]);
    expect(done.begun).toEqual([]);
  });
});

describe("federated return in the same window", () => {
  interface Answers {
    cookie?: string;
    profile?: () => Promise<typeof ada>;
    exchange?: (code: string) => Promise<string>;
  }
  async function comeBack(callback: Partial<OAuthCallback>, answers: Answers = {}) {
    const begun: unknown[] = [];
    let welcomed = 0;
    const actor = createFederatedReturn(
      { token: null, code: null, error: null, ...callback },
      {
        exchange: answers.exchange ?? (() => Promise.reject(new Error("401"))),
        loadProfile: answers.profile ?? (async () => ada),
        askByCookie: async () => {
          if (answers.cookie === undefined) throw new Error("401");
          return answers.cookie;
        },
        begin: (session) => void begun.push(session),
        welcome: () => {
          welcomed += 1;
        },
      },
    );
    await settled();
    return { actor, begun, welcomed: () => welcomed, now: () => actor.getSnapshot() };
  }
  test("exchanges a code for the token without a question", async () => {
    const codes: string[] = [];
    const exchange = async (code: string) => {
      codes.push(code);
      return token;
    };
    const { begun, welcomed } = await comeBack({ code: "c" }, { exchange });
    expect(codes).toEqual(["c"]);
    expect(begun).toEqual([{ accessToken: token, user: ada }]);
    expect(welcomed()).toBe(1);
  });

  test("retries a code without an answer, but not a refused code", async () => {
    let answer: () => Promise<string> = () => Promise.reject(new ApiError(0, "network"));
    const { actor, begun, now } = await comeBack({ code: "c" }, { exchange: () => answer() });
    expect(selectIsUnreachable(now())).toBe(true);
    answer = () => Promise.reject(new ApiError(401, "providerFailed"));
    actor.send({ type: "retry.requested" });
    await settled();
    expect(selectReturnRefusal(now())).toBe("providerFailed");
    expect(begun).toEqual([]);
  });
  const another = makeToken({ sub: "ada", exp: 5e9, sid: "s1" });

  test("begins the session if the browser's cookie belongs to the same sign-in", async () => {
    const { begun, welcomed } = await comeBack({ token }, { cookie: another });
    expect(begun).toEqual([{ accessToken: token, user: ada }]);
    expect(welcomed()).toBe(1);
  });

  test.each([
    ["no cookie", undefined, token],
    ["the cookie of another sign-in", makeToken({ sub: "ada", exp: 5e9, sid: "s2" }), token],
    ["two tokens that name no sign-in", makeToken({ sub: "ada", exp: 5e9 }), makeToken({ sub: "ada", exp: 4e9 })],
    ["a cookie that stands for nothing readable", "x", token],
  ])("a returned token needs a confirmation with %s", async (_, cookie, given) => {
    const { actor, begun, now } = await comeBack({ token: given }, cookie === undefined ? {} : { cookie });
    expect(selectEmailToConfirm(now())).toBe(ada.email);
    expect(begun).toEqual([]);
    actor.send({ type: "account.confirmed" });
    expect(begun).toEqual([{ accessToken: given, user: ada }]);
  });

  test("the return from a provider reports a missing profile and retries it", async () => {
    let up = false;
    const profile = async () => {
      if (!up) throw new Error("offline");
      return ada;
    };
    const { actor, begun, now } = await comeBack({ token }, { cookie: another, profile });
    expect(selectIsProfileMissing(now())).toBe(true);
    up = true;
    actor.send({ type: "retry.requested" });
    await settled();
    expect(begun).toHaveLength(1);
  });

  test.each([
    [{ token: "x.y.z" }, "providerFailed"],
    [{ token: "" }, "providerFailed"],
    [{}, "providerFailed"],
    [{ error: "accountExists" }, "accountExists"],
    [{ error: "<b>nonsense</b>" }, "providerFailed"],
  ])("shows the failed provider sign-in %j as %s", async (callback, code) => {
    const { begun, now } = await comeBack(callback);
    expect(selectReturnRefusal(now())).toBe(code);
    expect(begun).toEqual([]);
  });
});

test("words the two failures as in SPEC.md section 8 for its provider", () => {
  const file = readFileSync(join(import.meta.dirname, "../../../public/locales/en/translation.json"), "utf8");
  const texts = v.parse(
    v.object({ errors: v.object({ providerFailed: v.string() }), account: v.object({ profileFailedAfter: v.string() }) }),
    JSON.parse(file),
  );
  expect(texts.errors.providerFailed.replace("{{provider}}", "Google")).toBe("Google authentication failed");
  expect(texts.account.profileFailedAfter.replace("{{provider}}", "Google")).toBe(
    "Failed to fetch user profile after Google auth",
  );
});
