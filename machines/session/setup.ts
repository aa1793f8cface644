import { assign, emit, fromCallback, fromPromise, raise, sendTo, setup } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import {
  isBackingOff,
  isDueForRefresh,
  lifeLeft,
  markerRelease,
  maxFailures,
  nextCheck,
  noRefresh,
  noticeableDelay,
  type RefreshOutcome,
  refreshThreshold,
  retryDelay,
  type SessionContext,
  type StoredSession,
  signOutTimeout,
} from "./rules.ts";

export type SessionEvent =
  /** Somebody has signed in here; the answer's token, decoded. */
  | { type: "token.stored"; stored: StoredSession }
  /** The stored token was changed by another tab, or removed by hand. */
  | { type: "storage.changed"; stored: StoredSession }
  /** Somebody needs a new token, whatever the old one's life. */
  | { type: "refresh.requested" }
  /** The server answered 401 to a call made with `refused`. */
  | { type: "unauthorized.answered"; refused: string }
  /** A person who is waiting asks for a call without an answer to be made again. */
  | { type: "retry.requested" }
  /** A route guard needs the profile. */
  | { type: "profile.requested" }
  /** The server's answer after the person changed the profile, or after it was fetched again. */
  | { type: "profile.changed"; user: UserProfile }
  /** The person pressed Log out. */
  | { type: "signOut.requested" }
  /** The window event `auth:force-logout` was raised by someone else. */
  | { type: "forceLogout.heard" }
  /** The page is visible again, or the network is back: timers may have been paused. */
  | { type: "woke" }
  /** A call or a navigation relies on the session. Browsers fire no storage event in the tab that made the change, so the storage is read again. */
  | { type: "session.reliedOn" }
  /** Raised by the machine itself: the logout endpoint is to be called; its answer is ignored. */
  | { type: "logout.due" };

export type SessionEmitted =
  | { type: "session.started"; origin: "signIn" | "other" }
  | { type: "session.ended"; reason: EndReason }
  /** To be raised as the window event `auth:force-logout`. */
  | { type: "logout.forced" }
  /** The session's state was reset: other state of this person has to be reset, too. */
  | { type: "state.reset" }
  /** The server is slow to end the session. */
  | { type: "signOut.delayed" };

/**
 * signedOut: the person wanted it; expired: a refresh failed; refused: it failed after a call's 401; forced: forced logout; elsewhere: the
 * stored token disappeared.
 */
export type EndReason = "signedOut" | "expired" | "refused" | "forced" | "elsewhere";

const sessionOf = ({ token, clockOffset, user }: StoredSession): StoredSession => ({ token, clockOffset, user });
const signedOut = { token: null, clockOffset: 0, user: null } as const satisfies StoredSession;

/** The session's actors, actions, guards and delays; the chart is in machine.ts. */
export const sessionSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as SessionEmitted,
    input: {} as { stored: StoredSession; now(): number },
  },
  actors: {
    /** Sends `storage.changed`, `woke` and `forceLogout.heard`; on `session.reliedOn` it checks whether the token is still stored. */
    world: fromCallback<SessionEvent>(() => notProvided("world")),
    /** Stores the renewed token itself, and only if the stored one is still the one it began with (compare-and-set). */
    refresh: fromPromise<RefreshOutcome, { token: string | null }>(async () => notProvided("refresh")),
    logout: fromPromise<void>(async () => notProvided("logout")),
    /** The profile of the token's user; a 401 leads to a refresh, as with any call. */
    loadProfile: fromPromise<UserProfile, { userId: string }>(async () => notProvided("loadProfile")),
  },
  actions: {
    keep: (_, _params: StoredSession) => notProvided("keep"),
    keepUser: (_, _params: UserProfile) => notProvided("keepUser"),
    /** Removes the stored token alone. */
    clearToken: () => notProvided("clearToken"),
    /** Removes all persisted state of the person. */
    clearPersistedState: () => notProvided("clearPersistedState"),
    adopt: assign((_, stored: StoredSession) => sessionOf(stored)),
    adoptOutcome: assign((_, outcome: RefreshOutcome) => ("stored" in outcome ? sessionOf(outcome.stored) : {})),
    adoptUser: assign({ user: (_, user: UserProfile) => user }),
    resetContext: assign(signedOut),
    beginRefresh: assign({
      refresh: ({ context, event }) => ({
        ...noRefresh,
        from: context.token?.value ?? null,
        startedAt: context.now(),
        afterUnauthorized: event.type === "unauthorized.answered" ? "call" : null,
      }),
    }),
    noteRefusedCall: assign({ refresh: ({ context }) => ({ ...context.refresh, afterUnauthorized: "call" }) }),
    noteUnauthorized: assign({
      refresh: ({ context: { refresh } }) => ({ ...refresh, afterUnauthorized: refresh.afterUnauthorized ?? "refresh" }),
    }),
    noteNoAnswer: assign({ refresh: ({ context }) => ({ ...context.refresh, unanswered: context.refresh.unanswered + 1 }) }),
    noteOutcome: assign({
      refresh: ({ context }) => ({ ...context.refresh, outcome: context.token === null ? "failed" : "succeeded" }),
    }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1, lastFailureAt: ({ context }) => context.now() }),
    forgiveFailures: assign({ failures: 0, lastFailureAt: null, lastRenewalAt: ({ context }) => context.now() }),
    emitStart: emit(({ event }): SessionEmitted => {
      return { type: "session.started", origin: event.type === "token.stored" ? "signIn" : "other" };
    }),
    emitEnd: emit((_, reason: EndReason): SessionEmitted => ({ type: "session.ended", reason })),
    emitReset: emit({ type: "state.reset" }),
    emitDelay: emit({ type: "signOut.delayed" }),
    emitSkipped: emit(({ context }): SessionEmitted => {
      return { type: "session.ended", reason: context.refresh.afterUnauthorized === "call" ? "refused" : "forced" };
    }),
    emitForced: emit({ type: "logout.forced" }),
    /** The same as if the storage's own event had come already. */
    noticeChange: raise((_, outcome: RefreshOutcome): SessionEvent => {
      return { type: "storage.changed", stored: "stored" in outcome ? outcome.stored : signedOut };
    }),
    checkStorage: sendTo("world", { type: "session.reliedOn" } satisfies SessionEvent),
    requestLogout: raise({ type: "logout.due" }),
  },
  guards: {
    hasToken: ({ context }) => context.token !== null,
    isValid: ({ context }) => lifeLeft(context) > refreshThreshold,
    needsRefresh: ({ context }) => context.token !== null && lifeLeft(context) > 0 && lifeLeft(context) <= refreshThreshold,
    isExpired: ({ context }) => context.token !== null && lifeLeft(context) === 0,
    isDueForRefresh: ({ context }) => isDueForRefresh(context),
    isBackingOff: ({ context }) => isBackingOff(context),
    wasCallRefused: ({ context }) => context.refresh.afterUnauthorized === "call",
    mustClearAuthData: ({ context }) => context.refresh.afterUnauthorized !== null || context.failures >= maxFailures,
    /** A late 401 to a token that has been replaced, or after the person has left, is no reason to refresh. */
    isAboutThisToken: ({ context, event }) => event.type === "unauthorized.answered" && context.token?.value === event.refused,
    tokenWasReplaced: ({ context }) => (context.token?.value ?? null) !== context.refresh.from,
    failedButSignedIn: ({ context }) => context.refresh.outcome === "failed" && context.token !== null,
    lacksProfile: ({ context }) => lifeLeft(context) > 0 && context.user?.id !== context.token?.userId,
    isTheirs: ({ context }, { id }: UserProfile) => context.token?.userId === id,
    disappeared: ({ context, event }) =>
      event.type === "storage.changed" && event.stored.token === null && context.token !== null,
    isAboutSomeoneElse: ({ context, event }) =>
      event.type === "storage.changed" && event.stored.token !== null && event.stored.token.userId !== context.token?.userId,
  },
  delays: {
    markerRelease,
    signOutTimeout,
    noticeableDelay,
    nextCheck: ({ context }) => nextCheck(context),
    retryDelay: ({ context }) => retryDelay(context),
  },
});
