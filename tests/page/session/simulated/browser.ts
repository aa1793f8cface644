import type { EndReason, SessionEvent } from "#machines/session/events.ts";
import { markerRelease } from "#machines/session/rules.ts";
import { selectToken } from "#machines/session/selectors.ts";
import { createUsersApi } from "#src/api/account.ts";
import { ApiError, createCall, createPlainSend, createSend } from "#src/api/http.ts";
import { createAuthApi } from "#src/api/session.ts";
import { createLock } from "#src/browser/lock.ts";
import { createStorage } from "#src/browser/storage.ts";
import { createSession, type Session } from "#src/features/session/create-session.ts";
import { hedgeAfter } from "#src/features/session/hedge.ts";
import { clockOffsetOf, readToken } from "#src/features/session/jwt.ts";
import { createRefresh } from "#src/features/session/refresh.ts";
import { createSessionStore } from "#src/features/session/store.ts";
import { createTokenSource, longestWaitMs } from "#src/features/session/token-source.ts";
import { SimulatedNetwork } from "./network.ts";
import { SimulatedLocks, SimulatedOrigin } from "./origin.ts";
import { SimulatedServer } from "./server.ts";
import type { Dice, SimulatedTime } from "./time.ts";

/** A call that a page makes. */
export interface Made {
  tab: number;
  begunAt: number;
  /** The longest time in ms without an open request of its own. */
  longestWait: number;
  endedAt: number | null;
  /** The answer's status; 0 if there was no answer. */
  status: number | null;
}

export interface Ended {
  tab: number;
  reason: EndReason;
  at: number;
  /** Remaining life of its last token in ms, by the device's clock. */
  lifeLeft: number;
}

/** A tab got another token, or lost its token. */
interface Changed {
  tab: number;
  at: number;
}

/**
 * A browser whose tabs share storage, locks, cookie and network. The session is composed as in
 * src/features/session/actor.ts.
 */
export function openBrowser(time: SimulatedTime, dice: Dice) {
  const server = new SimulatedServer(time.serverNow);
  const network = new SimulatedNetwork(time, dice, server);
  const origin = new SimulatedOrigin(time, dice);
  const locks = new SimulatedLocks();
  const calls: Made[] = [];
  const ends: Ended[] = [];
  const changes: Changed[] = [];
  let opened = 0;

  function openTab() {
    opened += 1;
    const number = opened;
    const area = origin.openTab();
    const store = createSessionStore(createStorage(area));
    const fetchHere = network.fetchOf(number);
    const plainSend = createPlainSend("", fetchHere);
    const auth = createAuthApi(createCall(plainSend));
    const lock = createLock("session", locks.of(number), () => time.deadline(5_000));
    const closing = new AbortController();
    let hear: (event: SessionEvent) => void = () => {};
    const session: Session = createSession(
      {
        store,
        refresh: createRefresh({
          store,
          lock,
          ask: auth.refresh,
          overdue: () => time.after(hedgeAfter),
          now: time.deviceNow,
          settle: () => time.after(markerRelease),
        }),
        logout: (signal) => lock(() => auth.logout(signal)),
        loadProfile: (signal) => createUsersApi(createCall(createSend(plainSend, tokens))).me(signal),
        now: time.deviceNow,
        listen: (send) => {
          hear = send;
          return () => {};
        },
      },
      { clock: time },
    );
    const tokens = createTokenSource(
      () => session,
      () => time.deadline(longestWaitMs),
    );
    let lastExpiry = 0;
    let lastToken: string | undefined;
    session.subscribe(({ context }) => {
      if (context.token?.value !== lastToken) changes.push({ tab: number, at: time.elapsed });
      lastToken = context.token?.value;
      if (context.token !== null) lastExpiry = context.token.expiresAt - context.clockOffset;
    });
    session.on("session.ended", ({ reason }) => {
      ends.push({ tab: number, reason, at: time.elapsed, lifeLeft: lastExpiry - time.deviceNow() });
    });
    session.start();

    /** Never rejects. */
    const call = async (): Promise<Made> => {
      const made: Made = { tab: number, begunAt: time.elapsed, longestWait: 0, endedAt: null, status: null };
      calls.push(made);
      let since = time.elapsed;
      const noteWait = () => {
        made.longestWait = Math.max(made.longestWait, time.elapsed - since);
      };
      const measured: typeof fetch = (input, init) => {
        noteWait();
        return fetchHere(input, init).finally(() => {
          since = time.elapsed;
        });
      };
      const users = createUsersApi(createCall(createSend(createPlainSend("", measured), tokens)));
      try {
        await users.me(closing.signal);
        made.status = 200;
      } catch (error) {
        made.status = error instanceof ApiError ? error.status : -1;
      }
      noteWait();
      made.endedAt = time.elapsed;
      return made;
    };
    const signIn = async (): Promise<boolean> => {
      try {
        const credentials = { email: "ada@example.org", password: "correct horse" };
        const { accessToken, user } = await lock(() => auth.login(credentials, closing.signal));
        const stored = {
          token: readToken(accessToken),
          clockOffset: clockOffsetOf(accessToken, time.deviceNow()),
          user: user ?? null,
        };
        session.send({ type: "token.stored", stored });
        return true;
      } catch {
        return false;
      }
    };
    const close = () => {
      closing.abort(new ApiError(0, "network", "The tab was closed."));
      session.stop();
      origin.closeTab(area);
      locks.closeTab(number);
    };
    return {
      number,
      session,
      call,
      signIn,
      close,
      resume: () => hear({ type: "page.resumed" }),
      token: () => selectToken(session.getSnapshot()),
      stored: () => store.read().token?.value,
    };
  }

  return { server, network, calls, ends, changes, openTab };
}

export type Browser = ReturnType<typeof openBrowser>;
export type Tab = ReturnType<Browser["openTab"]>;
