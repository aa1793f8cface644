import { SimulatedClock } from "xstate";
import type { SessionEvent } from "#machines/session/events.ts";
import { selectToken } from "#machines/session/selectors.ts";
import { createUsersApi } from "#src/api/account.ts";
import { createCall, createPlainSend, createSend } from "#src/api/http.ts";
import { createLock, type Locks } from "#src/browser/lock.ts";
import { createStorage } from "#src/browser/storage.ts";
import { createSession, type Session } from "#src/features/session/create-session.ts";
import { clockOffsetOf, readToken } from "#src/features/session/jwt.ts";
import { createRefresh } from "#src/features/session/refresh.ts";
import { createSessionStore, type SessionStore } from "#src/features/session/store.ts";
import { createTokenSource } from "#src/features/session/token-source.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { ada, minute, settled } from "#tests/machines/session/harness.ts";
import { FakeOrigin } from "#tests/page/analytics/fake-window.ts";

/** Epoch ms on the server's clock. */
export const start = Date.UTC(2026, 10, 20, 12);

/**
 * A browser and its server; the tabs share the storage, the lock and the time.
 * @param answerTo gives the answer of GET /users/me for a token
 * @param before must settle before that answer is given
 */
export function openBrowser({
  locks = true,
  clockBehind = 0,
  answerTo = (_token: string): Response => Response.json(ada),
  before = async () => {},
} = {}) {
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

  /** @param broken replaces methods of the tab's store */
  function openTab(broken: Partial<SessionStore> = {}) {
    const storage = createStorage(origin.openTab());
    const store = { ...createSessionStore(storage), ...broken };
    const clock = new SimulatedClock();
    clocks.push(clock);
    let send: (event: SessionEvent) => void = () => {};
    const ask = async (_url: string | URL | Request, init?: RequestInit) => {
      await before();
      return answerTo(new Headers(init?.headers).get("Authorization")?.slice("Bearer ".length) ?? "");
    };
    const session: Session = createSession(
      {
        store,
        refresh: createRefresh({
          settle: async () => {},
          overdue: () => new Promise(() => {}),
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
        loadProfile: (signal) =>
          createUsersApi(
            createCall(
              createSend(
                createPlainSend("", ask),
                createTokenSource(() => session),
              ),
            ),
          ).me(signal),
        now: deviceNow,
        listen: (hear) => {
          send = hear;
          return () => {};
        },
      },
      { clock },
    );
    session.start();
    const signIn = (value = newToken(), user: typeof ada | null = ada) => {
      const token = readToken(value);
      session.send({ type: "token.stored", stored: { token, clockOffset: clockOffsetOf(value, deviceNow()), user } });
      return value;
    };
    return {
      session,
      store,
      storage,
      signIn,
      send: (event: SessionEvent) => send(event),
      token: () => selectToken(session.getSnapshot()),
      state: () => session.getSnapshot().value.token,
      tokens: createTokenSource(() => session),
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
