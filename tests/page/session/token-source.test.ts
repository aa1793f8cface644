import { describe, expect, test } from "vitest";
import { ApiError } from "#src/api/http.ts";
import { storageKeys } from "#src/browser/storage.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { minute, settled } from "#tests/machines/session/harness.ts";
import { openBrowser, start } from "./tabs.ts";

describe("server's answer to a refresh", () => {
  test.each([
    ["a token that can't be read", "nonsense"],
    ["no token", new Error("Invalid token response format - missing accessToken")],
    ["a failure", new ApiError(500, "internal")],
  ])("a call fails with the failed refresh: %s", async (_, answer) => {
    const browser = openBrowser();
    const tab = browser.openTab();
    tab.signIn();
    tab.session.send({ type: "refresh.requested" });
    await settled();
    await browser.asked[0]?.answer(answer);
    expect(tab.state()).toBe("signedOut");
    expect(browser.origin.items.has(storageKeys.token)).toBe(false);
    expect(browser.origin.items.has(storageKeys.persistRoot)).toBe(true);
  });

  test("a call goes without a token if there is none", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    tab.signIn();
    tab.session.send({ type: "refresh.requested" });
    await settled();
    await browser.asked[0]?.answer(new ApiError(0, "network"));
    expect(tab.state()).toBe("valid");
  });
});

describe("tokens for API calls", () => {
  test("tokens for API calls do not exist while nobody is signed in", async () => {
    const tab = openBrowser().openTab();
    expect(await tab.tokens.live()).toBeUndefined();
    expect(tab.tokens.held()).toBeUndefined();
  });

  test("tokens for API calls are given out while valid, even during a refresh", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const token = tab.signIn();
    await browser.advance(11 * minute);
    expect(browser.asked).toHaveLength(1);
    expect(await tab.tokens.live()).toBe(token);
  });

  // SPEC 4 Unauthorised answers: "Other requests wait in a queue and are retried with the new token"
  test("tokens for API calls come from the same refresh after several 401s", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const token = tab.signIn();
    const calls = [tab.tokens.renewed(token), tab.tokens.renewed(token)];
    await settled();
    expect(browser.asked).toHaveLength(1);
    const fresh = browser.newToken();
    await browser.asked[0]?.answer(fresh);
    expect(await Promise.all(calls)).toEqual([fresh, fresh]);
    expect(await tab.tokens.renewed(token)).toBe(fresh);
  });

  // SPEC 4 Refresh: "Queued waiters are resolved or rejected together with it"
  test("tokens for API calls fail together when the refresh is refused", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const token = tab.signIn();
    const calls = [tab.tokens.renewed(token), tab.tokens.renewed(token)];
    const outcomes = Promise.allSettled(calls);
    await settled();
    await browser.asked[0]?.answer(new ApiError(401, "unauthorized"));
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: { status: 401 } });
  });

  test("tokens for API calls fail at once without a network", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const call = tab.tokens.renewed(tab.signIn());
    const failed = expect(call).rejects.toMatchObject({ status: 0, code: "network" });
    await settled();
    await browser.asked[0]?.answer(new ApiError(0, "network"));
    await failed;
    expect(tab.state()).toBe("valid");
  });

  test("tokens for API calls are no longer awaited after an abort", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const abort = new AbortController();
    const call = tab.tokens.renewed(tab.signIn(), abort.signal);
    abort.abort(new DOMException("gone", "AbortError"));
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("call across a change of user", () => {
  const others = makeToken({ sub: "bob", iat: start / 1000, exp: start / 1000 + 60 * 60 });

  test("the call that one person began is not made in the name of the next person after waiting for the network", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    tab.signIn(browser.newToken(minute));
    await browser.asked[0]?.answer(new ApiError(0, "network"));
    await browser.advance(2 * minute);
    const waiting = tab.tokens.live().catch((error: unknown) => error);
    tab.signIn(others);
    expect(await waiting).toMatchObject({ status: 401 });
    expect(await tab.tokens.live()).toBe(others);
  });

  test("the call that one person began is not repeated in another person's name after a refusal", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const refused = tab.signIn();
    tab.signIn(others);
    await expect(tab.tokens.renewed(refused)).rejects.toMatchObject({ status: 401 });
    expect(tab.token()).toBe(others);
  });
});
