import { describe, expect, test, vi } from "vitest";
import { selectIsSignedOut, selectUser } from "#machines/session/selectors.ts";
import { ApiError } from "#src/api/http.ts";
import { storageKeys } from "#src/browser/storage.ts";
import { resetWith } from "#src/features/session/create-session.ts";
import { whenDecided } from "#src/features/session/token-source.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { ada, minute, settled } from "#tests/machines/session/harness.ts";
import { openBrowser } from "./tabs.ts";

describe("a reload", () => {
  // SPEC 4 Other: "Only the user slice of state is persisted across reloads"
  // SPEC 9: "Persisted-state version"
  // SPEC 3: "It is kept in browser local storage under the key jwtToken."
  // SPEC 9: "Token storage key | jwtToken"
  test("keeps the session, its clock and its user", () => {
    const browser = openBrowser({ clockBehind: 60 * minute });
    const token = browser.openTab().signIn();
    expect(browser.origin.items.get(storageKeys.token)).toBe(token);
    expect(browser.origin.items.get(storageKeys.clockOffset)).toBe(String(60 * minute));
    expect(JSON.parse(browser.origin.items.get(storageKeys.persistRoot) ?? "")).toEqual({ version: 1, user: ada });
    const reloaded = browser.openTab();
    expect(reloaded.state()).toBe("valid");
    expect(reloaded.session.getSnapshot().context.user).toEqual(ada);
  });

  test.each(["", "nonsense", makeToken({ sub: "ada" })])("with a token that is none (%j) signs nobody in", (value) => {
    const browser = openBrowser();
    browser.origin.items.set(storageKeys.token, value);
    expect(browser.openTab().state()).toBe("signedOut");
  });

  // SPEC 4 Other: "Only the user slice of state is persisted across reloads"
  test("with persisted state of another version drops the user, not the token", async () => {
    const browser = openBrowser();
    browser.openTab().signIn();
    browser.origin.items.set(storageKeys.persistRoot, JSON.stringify({ version: 2, user: ada }));
    expect(browser.openTab().store.read()).toMatchObject({ user: null, token: { userId: "ada" } });
  });

  test("an expired token is renewed with the cookie before anyone is called signed in", async () => {
    const browser = openBrowser();
    browser.openTab().signIn();
    await browser.advance(0);
    const late = openBrowser();
    late.origin.items.set(storageKeys.token, browser.newToken(-minute));
    const tab = late.openTab();
    const decided = whenDecided(tab.session);
    await settled();
    expect(tab.state()).toBe("expired");
    const fresh = late.newToken();
    await late.asked[0]?.answer(fresh);
    expect(await decided).toBe(fresh);
    expect(late.origin.items.get(storageKeys.token)).toBe(fresh);
  });
});

describe("two tabs", () => {
  const named = (name: string) => ({ ...ada, name });
  const nameIn = ({ session }: ReturnType<ReturnType<typeof openBrowser>["openTab"]>) => selectUser(session.getSnapshot())?.name;

  test("show the same profile: one that is changed in one of them is not replaced by an older answer in the other", async () => {
    const waiting = Promise.withResolvers<void>();
    const browser = openBrowser({ answerTo: () => Response.json(ada), before: () => waiting.promise });
    const there = browser.openTab();
    there.signIn();
    const here = browser.openTab();
    expect(nameIn(here)).toBe("Ada");
    there.session.send({ type: "profile.changed", user: named("Countess") });
    expect(nameIn(here)).toBe("Countess");
    waiting.resolve();
    await settled();
    expect([nameIn(here), nameIn(there), here.store.read().user?.name]).toEqual(["Countess", "Countess", "Countess"]);
  });

  test("take what one of them has read again", async () => {
    const browser = openBrowser({ answerTo: () => Response.json(named("Countess")) });
    const there = browser.openTab();
    there.signIn();
    const here = browser.openTab();
    await settled();
    expect([nameIn(here), nameIn(there), here.store.read().user?.name]).toEqual(["Countess", "Countess", "Countess"]);
  });

  test("leave no profile behind when one of them signs out while the other reads it", async () => {
    const waiting = Promise.withResolvers<void>();
    const browser = openBrowser({ before: () => waiting.promise });
    const there = browser.openTab();
    there.signIn();
    const here = browser.openTab();
    there.session.send({ type: "signOut.requested" });
    await settled();
    waiting.resolve();
    await settled();
    expect([here.state(), here.store.read().user]).toEqual(["signedOut", null]);
  });

  test("renew once between them", async () => {
    const browser = openBrowser();
    const [here, there] = [browser.openTab(), browser.openTab()];
    here.signIn();
    expect(there.state()).toBe("valid");
    await browser.advance(10 * minute);
    expect([here.state(), there.state()]).toEqual(["needsRefresh", "needsRefresh"]);
    expect(browser.asked).toHaveLength(1);
    const fresh = browser.newToken();
    await browser.asked[0]?.answer(fresh);
    expect([here.token(), there.token()]).toEqual([fresh, fresh]);
    expect(browser.asked).toHaveLength(1);
  });

  test("without locks they ask twice, and agree in the end", async () => {
    const browser = openBrowser({ locks: false });
    const [here, there] = [browser.openTab(), browser.openTab()];
    here.signIn();
    await browser.advance(10 * minute);
    expect(browser.asked).toHaveLength(2);
    const fresh = browser.newToken();
    await browser.asked[0]?.answer(fresh);
    await browser.asked[1]?.answer(new ApiError(401, "sessionReused"));
    expect([here.token(), there.token()]).toEqual([fresh, fresh]);
  });

  test("signing out in one ends both", async () => {
    const browser = openBrowser();
    const [here, there] = [browser.openTab(), browser.openTab()];
    here.signIn();
    here.session.send({ type: "signOut.requested" });
    await settled();
    expect([here.state(), there.state()]).toEqual(["signedOut", "signedOut"]);
    expect(browser.logouts).toHaveLength(1);
    expect([...browser.origin.items.keys()]).toEqual([]);
  });

  test("a sign-out while the other one's refresh is under way wins", async () => {
    const browser = openBrowser();
    const [here, there] = [browser.openTab(), browser.openTab()];
    here.signIn();
    await browser.advance(10 * minute);
    there.session.send({ type: "signOut.requested" });
    await settled();
    await browser.asked[0]?.answer(browser.newToken());
    expect([here.state(), there.state()]).toEqual(["signedOut", "signedOut"]);
    expect(browser.origin.items.has(storageKeys.token)).toBe(false);
  });

  test("even when this tab has not heard of it yet", async () => {
    const browser = openBrowser();
    const here = browser.openTab();
    here.signIn();
    await browser.advance(10 * minute);
    browser.origin.items.delete(storageKeys.token);
    await browser.asked[0]?.answer(browser.newToken());
    expect(selectIsSignedOut(here.session.getSnapshot())).toBe(true);
    expect(browser.origin.items.has(storageKeys.token)).toBe(false);
  });
});

test("a refusal that comes after another tab has renewed the token, unheard yet, is no refusal", async () => {
  const browser = openBrowser();
  const tab = browser.openTab();
  tab.signIn();
  await browser.advance(10 * minute);
  const fresh = browser.newToken();
  browser.origin.items.set(storageKeys.token, fresh);
  await browser.asked[0]?.answer(new ApiError(401, "sessionReused"));
  expect(tab.token()).toBe(fresh);
});

test("a success after a failure is counted as one, though the tab hears its own storage", async () => {
  const browser = openBrowser();
  const tab = browser.openTab();
  for (const answer of [new ApiError(500, "internal"), browser.newToken()]) {
    tab.signIn();
    tab.session.send({ type: "refresh.requested" });
    await settled();
    await browser.asked.at(-1)?.answer(answer);
  }
  expect(tab.state()).toBe("valid");
  expect(tab.session.getSnapshot().context.failures).toBe(0);
});

describe("forced logout", () => {
  // SPEC 4 Forced logout: "Forced logout wipes the tokens, calls the logout endpoint, deletes persisted state"
  // SPEC 3: "other persist: keys are also cleared on wipe"
  test("deletes the token and every persisted key, and nothing else", () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    tab.signIn();
    browser.origin.items.set("persist:other", "{}");
    browser.origin.items.set("i18nextLng", "da");
    tab.send({ type: "forceLogout.heard" });
    expect([...browser.origin.items.keys()]).toEqual(["i18nextLng"]);
  });

  test("deletes persisted keys also when nobody is signed in", () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    browser.origin.items.set("persist:root", "{}");
    browser.origin.items.set("persist:other", "{}");
    tab.send({ type: "forceLogout.heard" });
    expect([...browser.origin.items.keys()]).toEqual([]);
  });

  // SPEC 4 Forced logout: "If either step fails, a warning is logged"
  test("a step that fails is warned of, and the others are taken", () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const browser = openBrowser();
    const tab = browser.openTab({
      clearPersistedState: () => {
        throw new Error("the storage is gone");
      },
    });
    const done: string[] = [];
    resetWith(tab.session, "One part", () => {
      throw new Error("no");
    });
    resetWith(tab.session, "The other", () => void done.push("reset"));
    tab.signIn();
    tab.send({ type: "forceLogout.heard" });
    expect(tab.state()).toBe("signedOut");
    expect(done).toEqual(["reset"]);
    const warnings = warn.mock.calls.map(([text]) => text);
    expect(warnings).toEqual(["The persisted session could not be deleted:", "One part could not be reset:"]);
    warn.mockRestore();
  });
});

test("with a full storage the session lives as long as the page", async () => {
  const browser = openBrowser();
  browser.origin.full = true;
  const tab = browser.openTab();
  tab.signIn();
  expect(tab.state()).toBe("valid");
  tab.session.send({ type: "refresh.requested" });
  await settled();
  const fresh = browser.newToken();
  await browser.asked[0]?.answer(fresh);
  expect(tab.token()).toBe(fresh);
});
