import { describe, expect, test, vi } from "vitest";
import { selectIsSignedOut, selectUser } from "#machines/session/selectors.ts";
import { ApiError } from "#src/api/http.ts";
import { storageKeys } from "#src/browser/storage.ts";
import { resetWith } from "#src/features/session/create-session.ts";
import { whenDecided } from "#src/features/session/token-source.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { ada, minute, settled } from "#tests/machines/session/harness.ts";
import { openBrowser } from "./tabs.ts";

describe("reloaded session", () => {
  // SPEC 4 Other: "Only the user slice of state is persisted across reloads"
  // SPEC 9: "Persisted-state version"
  // SPEC 3: "It is kept in browser local storage under the key jwtToken."
  // SPEC 9: "Token storage key | jwtToken"
  test("a reload keeps its token, clock offset and user", () => {
    const browser = openBrowser({ clockBehind: 60 * minute });
    const token = browser.openTab().signIn();
    expect(browser.origin.items.get(storageKeys.token)).toBe(token);
    expect(browser.origin.items.get(storageKeys.clockOffset)).toBe(String(60 * minute));
    expect(JSON.parse(browser.origin.items.get(storageKeys.persistRoot) ?? "")).toEqual({ version: 1, user: ada });
    const reloaded = browser.openTab();
    expect(reloaded.state()).toBe("valid");
    expect(reloaded.session.getSnapshot().context.user).toEqual(ada);
  });

  test.each(["", "nonsense", makeToken({ sub: "ada" })])("signs nobody in with the invalid token %j", (value) => {
    const browser = openBrowser();
    browser.origin.items.set(storageKeys.token, value);
    expect(browser.openTab().state()).toBe("signedOut");
  });

  // SPEC 4 Other: "Only the user slice of state is persisted across reloads"
  test("drops the user, but not the token, of another state version", async () => {
    const browser = openBrowser();
    browser.openTab().signIn();
    browser.origin.items.set(storageKeys.persistRoot, JSON.stringify({ version: 2, user: ada }));
    expect(browser.openTab().store.read()).toMatchObject({ user: null, token: { userId: "ada" } });
  });

  test("refreshes an expired token before anyone counts as signed in", async () => {
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

describe("session in two tabs", () => {
  const named = (name: string) => ({ ...ada, name });
  const nameIn = ({ session }: ReturnType<ReturnType<typeof openBrowser>["openTab"]>) => selectUser(session.getSnapshot())?.name;

  test("two tabs show the same profile, and keep a change over another tab's older answer", async () => {
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

  test("a tab takes over the profile that another tab has loaded", async () => {
    const browser = openBrowser({ answerTo: () => Response.json(named("Countess")) });
    const there = browser.openTab();
    there.signIn();
    const here = browser.openTab();
    await settled();
    expect([nameIn(here), nameIn(there), here.store.read().user?.name]).toEqual(["Countess", "Countess", "Countess"]);
  });

  test("leaves no profile behind when one tab signs out during the other's request", async () => {
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

  test("two tabs share one refresh", async () => {
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

  test("refreshes twice without locks, and agrees in the end", async () => {
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

  test("a sign-out in one tab signs out the other", async () => {
    const browser = openBrowser();
    const [here, there] = [browser.openTab(), browser.openTab()];
    here.signIn();
    here.session.send({ type: "signOut.requested" });
    await settled();
    expect([here.state(), there.state()]).toEqual(["signedOut", "signedOut"]);
    expect(browser.logouts).toHaveLength(1);
    expect([...browser.origin.items.keys()]).toEqual([]);
  });

  test("lets a sign-out win over the other tab's refresh", async () => {
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

  test("lets a sign-out win even before this tab has noticed it", async () => {
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

test("ignores a refusal that comes after the other tab's unnoticed refresh", async () => {
  const browser = openBrowser();
  const tab = browser.openTab();
  tab.signIn();
  await browser.advance(10 * minute);
  const fresh = browser.newToken();
  browser.origin.items.set(storageKeys.token, fresh);
  await browser.asked[0]?.answer(new ApiError(401, "sessionReused"));
  expect(tab.token()).toBe(fresh);
});

test("counts a success after a failure, although the tab sees its own storage change", async () => {
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
  test("a forced logout deletes the token and all persist: keys, and nothing else", () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    tab.signIn();
    browser.origin.items.set("persist:other", "{}");
    browser.origin.items.set("i18nextLng", "da");
    tab.send({ type: "forceLogout.heard" });
    expect([...browser.origin.items.keys()]).toEqual(["i18nextLng"]);
  });

  test("a forced logout deletes persist: keys even if nobody is signed in", () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    browser.origin.items.set("persist:root", "{}");
    browser.origin.items.set("persist:other", "{}");
    tab.send({ type: "forceLogout.heard" });
    expect([...browser.origin.items.keys()]).toEqual([]);
  });

  // SPEC 4 Forced logout: "If either step fails, a warning is logged"
  test("a failed step of the sign-out is logged, and the other steps run", () => {
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

test("a session lives as long as the page when the storage is full", async () => {
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
