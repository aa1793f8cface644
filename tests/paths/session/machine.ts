import { createActor } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import type { EndReason, SessionEvent } from "#machines/session/events.ts";
import { sessionMachine } from "#machines/session/machine.ts";
import { backOffWindow, lifeLeft, maxFailures, type RefreshOutcome, refreshThreshold } from "#machines/session/rules.ts";
import { selectIsSignedOut } from "#machines/session/selectors.ts";
import { ada, hour, minute, nobody, start as startTime, stored, token } from "#tests/machines/session/harness.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs, WalkClock } from "#tests/paths/harness-stubs.ts";
import type { Move, RunOptions, Walk } from "#tests/paths/harness-walk.ts";

/** The lifetime of a new token, in ms: the clock is checked every minute, and a walk takes every check. */
const goodLife = refreshThreshold + minute;

/** Everything at once would be more situations than anybody waits for: each theme has moves of its own. */
type Theme = "refreshing" | "coming and going";
interface Beginning {
  theme: Theme;
  /** The token's remaining lifetime, in ms; null: signed out. */
  life: number | null;
}
const beginnings: Record<string, Beginning> = {
  "nobody is signed in, and a refresh is wanted": { theme: "refreshing", life: null },
  "the token is good": { theme: "refreshing", life: goodLife },
  "the token is about to end": { theme: "refreshing", life: refreshThreshold / 2 },
  "the token has ended": { theme: "refreshing", life: -minute },
  "somebody comes": { theme: "coming and going", life: null },
  "somebody is there": { theme: "coming and going", life: goodLife },
};

function prepare(stubs: Stubs) {
  let onRefresh = () => {};
  const calls = {
    refresh: stubs.asking<RefreshOutcome, { token: string | null }>(() => onRefresh()),
    logout: stubs.asking<void>(),
    loadProfile: stubs.asking<UserProfile, { userId: string }>(),
  };
  const environment = stubs.callback<SessionEvent>();
  let persistedToken: string | null = null;
  let persistedUser: string | null = null;
  const machine = sessionMachine.provide({
    actors: {
      environment: environment.logic,
      refresh: calls.refresh.logic,
      logout: calls.logout.logic,
      loadProfile: calls.loadProfile.logic,
    },
    actions: {
      persist: (_, { token: held, user }) => {
        [persistedToken, persistedUser] = [held?.value ?? null, user?.id ?? null];
      },
      persistUser: (_, { id }) => {
        persistedUser = id;
      },
      clearToken: () => {
        persistedToken = null;
      },
      clearPersistedState: () => {
        [persistedToken, persistedUser] = [null, null];
      },
    },
  });
  return ({ clock, inspect, start }: RunOptions) => {
    let slept = 0;
    const now = () => startTime + clock.now() + slept;
    const { theme, life } = beginnings[start] ?? { theme: "refreshing", life: null };
    const initial = life === null ? nobody : stored(token("first", life));
    [persistedToken, persistedUser] = [initial.token?.value ?? null, initial.user?.id ?? null];
    const actor = createActor(machine, { clock, inspect, input: { stored: initial, now } });
    const reasons: EndReason[] = [];
    const memory = { tokens: 0, tooSoon: false, begun: life === null ? 0 : 1, delayed: false, reasons };
    onRefresh = () => {
      const { failures, lastFailureAt } = actor.getSnapshot().context;
      if (failures >= maxFailures && now() - (lastFailureAt ?? 0) < backOffWindow) memory.tooSoon = true;
    };
    actor.on("session.started", () => {
      memory.begun += 1;
    });
    actor.on("signOut.delayed", () => {
      memory.delayed = true;
    });
    actor.on("session.ended", ({ reason }) => {
      memory.delayed = false;
      reasons.push(reason);
    });
    return {
      actor,
      ...calls,
      environment,
      memory,
      now,
      theme,
      storage: () => ({ token: persistedToken, user: persistedUser }),
      /** Another tab writes the token. A sign-out there deletes everything. */
      write: (value: string | null, userId = value === null ? null : persistedUser) => {
        [persistedToken, persistedUser] = [value, userId];
      },
      sleep: (ms: number) => {
        slept += ms;
      },
      /** A token that was never there before. */
      fresh: (userId: string) => {
        memory.tokens += 1;
        return stored({ ...token(`${userId} ${memory.tokens}`, now() - startTime + goodLife, userId) });
      },
    };
  };
}
export type SessionHarness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: SessionHarness) => actor.getSnapshot().context;
const part = ({ actor }: SessionHarness) => actor.getSnapshot().value;
const asked = ({ refresh }: SessionHarness) => refresh;
const always = () => true;

function pass(clock: WalkClock, ms: number): void {
  for (let left = ms; left > 0; ) {
    const step = Math.min(left, Math.max(1, clock.untilNext() ?? left));
    clock.increment(step);
    left -= step;
  }
}

const otherTab = (name: string, userId: string | null): Move<SessionHarness> => ({
  name,
  may: (harness) => userId !== null || context(harness).token !== null,
  happen: (harness) => {
    const after = userId === null ? nobody : harness.fresh(userId);
    // Somebody else's profile is stored a moment after their token.
    harness.write(after.token?.value ?? null, userId === "ada" ? userId : undefined);
    harness.environment.say({ type: "storage.changed", stored: after });
  },
});

const refreshWanted = sent<SessionEvent>({ type: "refresh.requested" });
const signOut = sent<SessionEvent>({ type: "signOut.requested" });
const signIn: Move<SessionHarness> = {
  name: "somebody signs in",
  may: always,
  happen: (harness) => harness.actor.send({ type: "token.stored", stored: harness.fresh("ada") }),
};
const unauthorized: Move<SessionHarness> = {
  name: "the server does not take the token",
  may: (harness) => context(harness).token !== null,
  happen: (harness) => harness.actor.send({ type: "unauthorized.answered", refused: context(harness).token?.value ?? "" }),
};
const late: Move<SessionHarness> = {
  name: "a late 401 to a token of yesterday",
  may: always,
  happen: (harness) => harness.actor.send({ type: "unauthorized.answered", refused: "yesterday" }),
};
const sleeps: Move<SessionHarness> = {
  name: "the computer sleeps for two hours",
  may: (harness) => context(harness).token !== null,
  happen: (harness) => {
    harness.sleep(2 * hour);
    harness.environment.say({ type: "page.resumed" });
  },
};
const untilThreshold: Move<SessionHarness> = {
  name: "until five minutes before the token's end",
  may: (harness) => lifeLeft(context(harness)) > refreshThreshold,
  happen: (harness, clock) => pass(clock, lifeLeft(context(harness)) - refreshThreshold),
};
const untilEnd: Move<SessionHarness> = {
  name: "until the token's end",
  may: (harness) => lifeLeft(context(harness)) > 0 && lifeLeft(context(harness)) <= refreshThreshold,
  happen: (harness, clock) => pass(clock, lifeLeft(context(harness))),
};
const retry = (name: string, may: (harness: SessionHarness) => boolean): Move<SessionHarness> => ({
  name,
  may,
  happen: ({ actor }) => actor.send({ type: "retry.requested" }),
});
const halfMinute: Move<SessionHarness> = { name: "30 s", may: always, happen: (_, clock) => pass(clock, backOffWindow) };

const renewed = (harness: SessionHarness): RefreshOutcome => {
  const { token: before, user } = context(harness);
  const next = { ...harness.fresh(before?.userId ?? "ada"), user };
  harness.write(next.token?.value ?? null);
  return { kind: "renewed", stored: next };
};
const superseded = (harness: SessionHarness): RefreshOutcome => {
  const next = harness.fresh("ada");
  harness.write(next.token?.value ?? null, "ada");
  return { kind: "superseded", stored: next };
};
const left = (harness: SessionHarness): RefreshOutcome => {
  harness.write(null);
  return { kind: "superseded", stored: nobody };
};

const leaving = ({ logout }: SessionHarness) => logout;
const profile = ({ loadProfile }: SessionHarness) => loadProfile;
const only = (theme: Theme, moves: readonly Move<SessionHarness>[]): Move<SessionHarness>[] =>
  moves.map((move) => ({ ...move, may: (harness, clock) => harness.theme === theme && move.may(harness, clock) }));

/** machine.test.ts walks it on live actors; tests/components/session/session.test.ts shows the user's view. */
export const sessionWalk: Walk<SessionHarness> = {
  machine: sessionMachine,
  prepare,
  starts: Object.keys(beginnings),
  moves: [
    signIn,
    {
      ...refreshWanted,
      happen: (harness, clock) => {
        // The cookie may still be valid for a session that this page does not have: a refresh that does not start also
        // ends.
        if (context(harness).token === null) harness.memory.begun += 1;
        refreshWanted.happen(harness, clock);
      },
    },
    unauthorized,
    sleeps,
    answered("the token is renewed", asked, renewed),
    answered("another tab has signed out", asked, left),
    answered("the server knows of the leaving", leaving, () => undefined),
    untilThreshold,
    untilEnd,
    untilNextTimer,
    ...only("refreshing", [
      otherTab("another tab renews the token", "ada"),
      late,
      answered("another tab was faster", asked, superseded),
      answered("the refresh is refused", asked, (): RefreshOutcome => ({ kind: "refused" })),
      answered("nobody answers the refresh", asked, (): RefreshOutcome => ({ kind: "noAnswer" })),
      answered("the refresh fails", asked, (): RefreshOutcome => ({ kind: "failed" })),
      refused("the refresh breaks", asked, failure("internal")),
      halfMinute,
      retry("what hangs is asked for again", (harness) =>
        ["refreshing", "waitingForNetwork"].includes(String(part(harness).refresh)),
      ),
    ]),
    ...only("coming and going", [
      otherTab("another tab signs out", null),
      otherTab("another tab signs in as eve", "eve"),
      {
        ...signOut,
        happen: (harness, clock) => {
          // The caller learns that it is finished, with or without a session.
          harness.memory.begun += 1;
          signOut.happen(harness, clock);
        },
      },
      sent<SessionEvent>({ type: "forceLogout.heard" }),
      sent<SessionEvent>({ type: "page.resumed" }),
      sent<SessionEvent>({ type: "session.reliedOn" }),
      refused("the server does not know of it", leaving, failure("network")),
      answered("the profile comes", profile, (harness) => ({ ...ada, id: context(harness).token?.userId ?? "" })),
      answered("somebody else's profile comes", profile, () => ({ ...ada, id: "somebody else" })),
      sent<SessionEvent>({ type: "profile.requested" }),
      {
        name: "the profile is changed",
        may: (harness) => context(harness).token !== null,
        happen: (harness) =>
          harness.actor.send({ type: "profile.changed", user: { ...ada, id: context(harness).token?.userId ?? "" } }),
      },
      refused("the profile can't be had", profile, failure("network")),
      retry("the profile that hangs is asked for again", ({ actor }) => {
        const now = actor.getSnapshot();
        return now.hasTag("rereading") || now.matches({ profile: "loading" }) || now.matches({ profile: "missing" });
      }),
      sent<SessionEvent>({ type: "profile.outdated" }),
      {
        name: "another tab persists a newer profile",
        may: (harness) => context(harness).token !== null,
        happen: (harness) => {
          const user = { ...ada, name: "Countess", id: context(harness).token?.userId ?? "" };
          harness.write(context(harness).token?.value ?? null, user.id);
          harness.environment.say({ type: "profile.persisted", user });
        },
      },
    ]),
  ],
  situation: (harness) => {
    const { failures, lastFailureAt, refresh } = context(harness);
    const backsOff = failures >= maxFailures && harness.now() - (lastFailureAt ?? 0) < backOffWindow;
    const isUnderWay = part(harness).refresh !== "idle";
    const isRefused = isUnderWay && refresh.afterUnauthorized !== null;
    return [harness.theme, harness.memory.delayed, Math.min(failures, maxFailures), backsOff, isRefused];
  },
  rules: {
    // SPEC 4 Refresh: "Concurrent refresh requests share one in-flight refresh"
    "never more than one refresh in flight": ({ refresh }) => refresh.open().length <= 1,
    // SPEC 4 Refresh: "less than 30 seconds have passed since the last failure, refresh is skipped"
    "no refresh begins within 30 s of the third failure": ({ memory }) => !memory.tooSoon,
    "it backs off from the third failure on, for 30 s": (harness) => {
      const { failures, lastFailureAt } = context(harness);
      const isDue = failures >= maxFailures && harness.now() - (lastFailureAt ?? 0) < backOffWindow;
      return part(harness).backOff === (isDue ? "backingOff" : "counting");
    },
    // SPEC 4 Forced logout: "dispatches two reset actions (logout resets) to its state"
    "signed out: no token in the storage": (harness) =>
      !selectIsSignedOut(harness.actor.getSnapshot()) || harness.storage().token === null,
    "signed in: the storage has the same token": (harness) => harness.storage().token === (context(harness).token?.value ?? null),
    // SPEC 4 Session: "No token means signed out"
    // SPEC 4 Session: "A token that has not expired means signed in"
    // SPEC 4 Session: "A token that expires within 5 minutes needs a refresh"
    // SPEC 4 Session: "An expired token means expired"
    "the spec's states follow from the token's life alone": (harness) => {
      const life = lifeLeft(context(harness));
      const { token: state } = part(harness);
      if (context(harness).token === null) return state === "signedOut";
      return state === (life > refreshThreshold ? "valid" : life > 0 ? "needsRefresh" : "expired");
    },
    "a session ends once for each time it began": ({ memory: { begun, reasons } }) => reasons.length <= begun,
    // SPEC 4 Refresh: "When the count reaches 3, all auth data is wiped"
    "three failures: nothing of the person is left": (harness) =>
      context(harness).failures < maxFailures || context(harness).token !== null || harness.storage().user === null,
    "a refresh under way is for the token that is held": ({ refresh, ...harness }) =>
      refresh.open().every(({ input }) => input?.token === (harness.actor.getSnapshot().context.token?.value ?? null)),
    "one logout call is open at a time": ({ logout }) => logout.open().length <= 1,
    "who leaves waits for 5 s at most": (harness, clock) =>
      part(harness).leaving !== "signingOut" || (clock.untilNext() ?? Number.NaN) <= 5_000,
    "the profile that is asked for is the token's": (harness) =>
      harness.loadProfile.open().every(({ input }) => input !== undefined && input.userId !== ""),
    "the marker is held for 100 ms": (harness, clock) =>
      part(harness).refresh !== "settled" || (clock.untilNext() ?? Number.NaN) <= 100,
  },
};
