import { createActor, fromCallback, fromPromise, SimulatedClock } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import type { SessionEmitted, SessionEvent } from "#machines/session/events.ts";
import { sessionMachine } from "#machines/session/machine.ts";
import type { RefreshOutcome, SessionToken, StoredSession } from "#machines/session/rules.ts";

export const second = 1_000;
export const minute = 60 * second;
export const hour = 60 * minute;
/** The initial time of the device's clock. */
export const start = Date.UTC(2026, 10, 20, 12);

export const ada: UserProfile = {
  id: "ada",
  email: "ada@example.org",
  name: "Ada",
  avatar_url: null,
  isSuperUser: false,
  planType: "free",
  subscriptionId: null,
};

/** @param life ms from `start` */
export function token(value: string, life: number, userId = "ada"): SessionToken {
  return { value, expiresAt: start + life, userId };
}

export const nobody: StoredSession = { token: null, clockOffset: 0, user: null };

export function stored(held: SessionToken | null, clockOffset = 0): StoredSession {
  return { token: held, clockOffset, user: held === null ? null : ada };
}

/** A call of the machine's that the test answers. */
interface Asked<Answer> {
  signal: AbortSignal;
  answer(value: Answer): Promise<void>;
  refuse(): Promise<void>;
}

function ask<Answer>(list: Asked<Answer>[], signal: AbortSignal): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  list.push({
    signal,
    answer: (value) => {
      resolve(value);
      return settled();
    },
    refuse: () => {
      reject(new Error("no"));
      return settled();
    },
  });
  return promise;
}

/** Everything that was waiting for a promise has gone on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** The session machine in an environment of the test's own. */
export function startSession(initial: StoredSession, environment: { isAway?: boolean } = {}) {
  const clock = new SimulatedClock();
  let skipped = 0;
  const now = () => start + clock.now() + skipped;
  const refreshes: Asked<RefreshOutcome>[] = [];
  const logouts: Asked<void>[] = [];
  const profiles: Asked<UserProfile>[] = [];
  const effects: string[] = [];
  const emitted: SessionEmitted[] = [];
  const actor = createActor(
    sessionMachine.provide({
      actors: {
        environment: fromCallback<SessionEvent>(() => {}),
        refresh: fromPromise(({ signal }) => ask(refreshes, signal)),
        logout: fromPromise(({ signal }) => ask(logouts, signal)),
        loadProfile: fromPromise(({ signal }) => ask(profiles, signal)),
      },
      actions: {
        persist: (_, { token }) => effects.push(`persist ${token?.value}`),
        persistUser: (_, user) => effects.push(`persistUser ${user.id}`),
        clearToken: () => effects.push("clearToken"),
        clearPersistedState: () => effects.push("clearPersistedState"),
      },
    }),
    { clock, input: { stored: initial, now, isAway: () => environment.isAway === true } },
  );
  actor.on("*", (event) => emitted.push(event));
  actor.start();
  return {
    actor,
    refreshes,
    logouts,
    profiles,
    effects,
    emitted,
    now,
    /** ms since `start`, by the device's clock. */
    elapsed: () => now() - start,
    /** The states that SPEC.md names. */
    state: () => actor.getSnapshot().value.token,
    context: () => actor.getSnapshot().context,
    send: (event: SessionEvent) => actor.send(event),
    advance: async (ms: number) => {
      clock.increment(ms);
      await settled();
    },
    /** Time passes, and no timer notices. */
    sleep: (ms: number) => {
      skipped += ms;
    },
    /** The running refresh; fails without one. */
    lastRefresh: () => {
      const last = refreshes.at(-1);
      if (last === undefined) throw new Error("no refresh was begun");
      return last;
    },
    /** Lets a refresh begin and fail with this outcome, after a new sign-in. */
    failRefresh: async function (value: string, kind: "failed" | "refused" = "failed") {
      actor.send({ type: "token.stored", stored: stored(token(value, now() - start + hour)) });
      actor.send({ type: "refresh.requested" });
      await this.lastRefresh().answer({ kind });
    },
  };
}
