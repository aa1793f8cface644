import { describe, expect, test } from "vitest";
import { selectIsProfileMissing, selectIsSignedOut, selectUser } from "#machines/session/selectors.ts";
import { ApiError } from "#src/api/http.ts";
import { storageKeys } from "#src/browser/storage.ts";
import { ada, minute, settled } from "#tests/machines/session/harness.ts";
import { openBrowser } from "./tabs.ts";

// What the session asks itself, and what it hears from the calls of others (SPEC.md section 4, "Unauthorised answers", "Session expiry").

describe("the profile that the server refuses with 401", () => {
  const refusing = (refused: ReadonlySet<string>) => (token: string) =>
    refused.has(token) ? Response.json({ message: "Sign in again." }, { status: 401 }) : Response.json(ada);

  // SPEC 4 Unauthorised answers: "An answer of 401 triggers one refresh attempt"
  test("is asked for again with a new token", async () => {
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

  test("ends the session when there is none", async () => {
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

test("a profile that names nobody is that of who asks; one that names somebody else is not taken", async () => {
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
describe("a token that this tab's storage has lost without an event", () => {
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

  test("is noticed by the next call", async () => {
    const { tab, reasons } = lost();
    expect(await tab.tokens.live()).toBeUndefined();
    expect(reasons).toEqual(["elsewhere"]);
  });

  test("is noticed when the page is looked at again", () => {
    const { tab, reasons } = lost();
    tab.send({ type: "page.resumed" });
    expect(reasons).toEqual(["elsewhere"]);
  });

  test("is noticed within a minute", async () => {
    const { browser, reasons } = lost();
    await browser.advance(minute);
    expect(reasons).toEqual(["elsewhere"]);
  });

  test("and what can't be removed signs nobody in again", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const token = tab.signIn();
    tab.send({ type: "forceLogout.heard" });
    browser.origin.items.set(storageKeys.token, token);
    expect(await tab.tokens.live()).toBeUndefined();
  });
});
