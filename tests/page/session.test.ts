import { describe, expect, test } from "vitest";
import { SimulatedClock } from "xstate";
import { selectIsSignedOut, selectToken } from "../../machines/session.ts";
import type { SessionEvent } from "../../machines/session-setup.ts";
import { ApiError } from "../../src/api/http.ts";
import { createSession } from "../../src/app/create-session.ts";
import { createLock, type Locks } from "../../src/app/lock.ts";
import { createRefresh } from "../../src/app/refresh.ts";
import { createSessionStore } from "../../src/app/session-store.ts";
import { clockOffsetOf, readToken } from "../../src/app/session-token.ts";
import { createTokenSource, whenDecided } from "../../src/app/session-tokens.ts";
import { createStorage, storageKeys } from "../../src/app/storage.ts";
import { ada, minute, settled } from "../machines/session-rig.ts";
import { FakeOrigin } from "./fake-window.ts";
import { makeToken } from "./tokens.ts";

const start = Date.UTC(2026, 10, 20, 12);

/** A browser with one server behind it: tabs share the storage, the lock and the time. */
function openBrowser({ locks = true, clockBehind = 0 } = {}) {
  const origin = new FakeOrigin();
  const clocks: SimulatedClock[] = [];
  let passed = 0;
  const deviceNow = () => start + passed - clockBehind;
  let made = 0;
  const newToken = (life = 15 * minute) => {
    const iat = (start + passed) / 1000;
    return makeToken({ sub: "ada", iat, exp: iat + life / 1000, number: ++made });
  };
  let queue: Promise<unknown> = Promise.resolve();
  const fakeLocks: Locks = {
    request: (_name, _options, work) => {
      const result = queue.then(work);
      queue = result.catch(() => {});
      return result;
    },
  };
  const asked: { answer(value: string | Error): Promise<void> }[] = [];
  const logouts: string[] = [];

  function openTab() {
    const storage = createStorage(origin.openTab());
    const store = createSessionStore(storage);
    const clock = new SimulatedClock();
    clocks.push(clock);
    let send: (event: SessionEvent) => void = () => {};
    const session = createSession(
      {
        store,
        refresh: createRefresh({
          settle: async () => {},
          store,
          lock: createLock("x", locks ? fakeLocks : undefined, () => new AbortController().signal),
          ask: () => {
            const { promise, resolve, reject } = Promise.withResolvers<string>();
            const answer = (value: string | Error) => {
              if (value instanceof Error) reject(value);
              else resolve(value);
              return settled();
            };
            asked.push({ answer });
            return promise;
          },
          now: deviceNow,
        }),
        logout: async () => {
          logouts.push("logout");
        },
        loadProfile: async () => ada,
        now: deviceNow,
        listen: (hear) => {
          send = hear;
          return () => {};
        },
      },
      { clock },
    ).start();
    const signIn = (value = newToken()) => {
      const token = readToken(value);
      session.send({ type: "token.stored", stored: { token, clockOffset: clockOffsetOf(value, deviceNow()), user: ada } });
      return value;
    };
    return {
      session,
      store,
      storage,
      signIn,
      tell: (event: SessionEvent) => send(event),
      token: () => selectToken(session.getSnapshot()),
      state: () => session.getSnapshot().value.token,
      tokens: createTokenSource(session),
    };
  }
  return {
    origin,
    openTab,
    asked,
    logouts,
    newToken,
    advance: async (ms: number) => {
      passed += ms;
      for (const clock of clocks) clock.increment(ms);
      await settled();
    },
  };
}

describe("a reload", () => {
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

  test("with persisted state of another version forgets the user, not the token", async () => {
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
  test("deletes the token and every persisted key, and nothing else", () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    tab.signIn();
    browser.origin.items.set("persist:other", "{}");
    browser.origin.items.set("i18nextLng", "da");
    tab.tell({ type: "forceLogout.heard" });
    expect([...browser.origin.items.keys()]).toEqual(["i18nextLng"]);
  });
});

describe("what the server says to a refresh", () => {
  test.each([
    ["a token that can't be read", "nonsense"],
    ["no token", new Error("Invalid token response format - missing accessToken")],
    ["a failure", new ApiError(500, "internal")],
  ])("%s fails it", async (_, answer) => {
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

  test("nothing at all loses nothing", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    tab.signIn();
    tab.session.send({ type: "refresh.requested" });
    await settled();
    await browser.asked[0]?.answer(new ApiError(0, "network"));
    expect(tab.state()).toBe("valid");
  });
});

describe("tokens for the calls", () => {
  test("nobody signed in has none", async () => {
    const tab = openBrowser().openTab();
    expect(await tab.tokens.live()).toBeUndefined();
    expect(tab.tokens.held()).toBeUndefined();
  });

  test("one with life in it is given out while its successor is under way", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const token = tab.signIn();
    await browser.advance(11 * minute);
    expect(browser.asked).toHaveLength(1);
    expect(await tab.tokens.live()).toBe(token);
  });

  test("calls that were answered with 401 wait for the same refresh", async () => {
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

  test("they fail together when it is refused", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const token = tab.signIn();
    const calls = [tab.tokens.renewed(token), tab.tokens.renewed(token)];
    const outcomes = Promise.allSettled(calls);
    await settled();
    await browser.asked[0]?.answer(new ApiError(401, "unauthorized"));
    for (const outcome of await outcomes) expect(outcome).toMatchObject({ status: "rejected", reason: { status: 401 } });
  });

  test("and are told at once when the network is gone", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const call = tab.tokens.renewed(tab.signIn());
    const failed = expect(call).rejects.toMatchObject({ status: 0, code: "network" });
    await settled();
    await browser.asked[0]?.answer(new ApiError(0, "network"));
    await failed;
    expect(tab.state()).toBe("valid");
  });

  test("who is no longer interested stops waiting", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const abort = new AbortController();
    const call = tab.tokens.renewed(tab.signIn(), abort.signal);
    abort.abort(new DOMException("gone", "AbortError"));
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
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

describe("a call that one person began", () => {
  const others = makeToken({ sub: "bob", iat: start / 1000, exp: start / 1000 + 60 * 60 });

  test("and that waits for the network is not made in the name of who has signed in meanwhile", async () => {
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

  test("and that was refused is not made again in another one's name", async () => {
    const browser = openBrowser();
    const tab = browser.openTab();
    const refused = tab.signIn();
    tab.signIn(others);
    await expect(tab.tokens.renewed(refused)).rejects.toMatchObject({ status: 401 });
    expect(tab.token()).toBe(others);
  });
});
