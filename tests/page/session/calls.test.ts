import { describe, expect, test } from "vitest";
import { selectIsProfileMissing, selectIsSignedOut, selectUser } from "#machines/session/selectors.ts";
import { ApiError } from "#src/api/http.ts";
import { storageKeys } from "#src/browser/storage.ts";
import { ada, minute, settled } from "#tests/machines/session/harness.ts";
import { openBrowser } from "./tabs.ts";

// The session's own calls, and the answers to other calls (SPEC.md section 4, "Unauthorised answers", "Session
// expiry").

describe("profile refused with 401", () => {
  const refusing = (refused: ReadonlySet<string>) => (token: string) =>
    refused.has(token) ? Response.json({ message: "Sign in again." }, { status: 401 }) : Response.json(ada);

  // SPEC 4 Unauthorised answers: "An answer of 401 triggers one refresh attempt"
  test("the profile refused with 401 is requested again with a new token", async () => {
    const refused = new Set<string>();
    const browser = openBrowser({ answerTo: refusing(refused) });
    const tab = browser.openTab();
    const token = browser.newToken();
    refused.add(token);
    tab.signIn(token, null);
    await settled();
    expect(browser.asked).toHaveLength(1);
    expect(selectIsProfileMissing(tab.session.getSnapshot())).toBe(false);
    await browser.asked[0]?.answer(browser.newToken());
    await settled();
    expect(selectUser(tab.session.getSnapshot())).toEqual(ada);
    expect(browser.asked).toHaveLength(1);
  });

  test("a refused call without a new token ends the session", async () => {
    const browser = openBrowser({ answerTo: () => new Response(null, { status: 401 }) });
    const tab = browser.openTab();
    const reasons: string[] = [];
    tab.session.on("session.ended", ({ reason }) => reasons.push(reason));
    tab.signIn(undefined, null);
    await settled();
    await browser.asked[0]?.answer(new ApiError(401, "unauthorized"));
    expect(selectIsSignedOut(tab.session.getSnapshot())).toBe(true);
    expect(reasons).toEqual(["refused"]);
    expect([...browser.origin.items.keys()]).toEqual([]);
  });
});

test("accepts a profile without an id, but not with another person's id", async () => {
  const { id: _, ...unnamed } = ada;
  for (const [answer, wanted] of [
    [unnamed, ada],
    [{ ...ada, id: 7 }, null],
  ]) {
    const tab = openBrowser({ answerTo: () => Response.json(answer) }).openTab();
    tab.signIn(undefined, null);
    await settled();
    expect(selectUser(tab.session.getSnapshot())).toEqual(wanted);
  }
});

// SPEC 4 Session expiry: "the token disappears while on an app page"
describe("token that the storage lost without an event", () => {
  function lost() {
    const browser = openBrowser();
    const tab = browser.openTab();
    const reasons: string[] = [];
    tab.session.on("session.ended", ({ reason }) => reasons.push(reason));
    tab.signIn();
    browser.origin.items.delete(storageKeys.token);
    expect(selectIsSignedOut(tab.session.getSnapshot())).toBe(false);
    return { browser, tab, reasons };
  }

  test("the token that the storage lost without an event is noticed by the next call", async () => {
    const { tab, reasons } = lost();
    expect(await tab.tokens.live()).toBeUndefined();
    expect(reasons).toEqual(["elsewhere"]);
  });

  test("the token that the storage lost without an event is noticed when the page is seen again", () => {
    const { tab, reasons } = lost();
    tab.send({ type: "page.resumed" });
    expect(reasons).toEqual(["elsewhere"]);
  });

  test("the token that the storage lost without an event is noticed within a minute", async () => {
    const { browser, reasons } = lost();
    await browser.advance(minute);
    expect(reasons).toEqual(["elsewhere"]);
  });

  test("signs nobody in again if it can't be removed", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const token = tab.signIn();
    tab.send({ type: "forceLogout.heard" });
    browser.origin.items.set(storageKeys.token, token);
    expect(await tab.tokens.live()).toBeUndefined();
  });
});
