import { and, assign, emit, fromCallback, fromPromise, raise, sendTo, setup, stateIn } from "xstate";
import type { UserProfile } from "#contract/index.ts";
import { notProvided } from "#machines/not-provided.ts";
import type { EndReason, SessionEmitted, SessionEvent } from "./events.ts";
import {
  backOffLeft,
  freshness,
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
  seenNow,
  signOutTimeout,
} from "./rules.ts";

const sessionOf = ({ token, clockOffset, user }: StoredSession): StoredSession => ({ token, clockOffset, user });
const signedOut = { token: null, clockOffset: 0, user: null } as const satisfies StoredSession;

/** The source of the call that was answered with 401, according to the event. */
const sourceOf = (event: SessionEvent): SessionContext["refresh"]["afterUnauthorized"] =>
  event.type !== "unauthorized.answered" ? null : event.isBackground === true ? "session" : "call";

/** The session's actors, actions, guards and delays; the chart is in machine.ts. */
export const sessionSetup = setup({
  types: {
    context: {} as SessionContext,
    events: {} as SessionEvent,
    emitted: {} as SessionEmitted,
    tags: {} as "rereading" | "confirmed",
    input: {} as { stored: StoredSession; now(): number; isAway?(): boolean },
  },
  actors: {
    /**
     * Sends `storage.changed`, `profile.persisted`, `page.resumed` and `forceLogout.heard`; on `session.reliedOn` it
     * checks whether the token is still stored.
     */
    environment: fromCallback<SessionEvent>(() => notProvided("environment")),
    /** Stores the renewed token itself, and only if the stored one is unchanged (compare-and-set). */
    refresh: fromPromise<RefreshOutcome, { token: string | null }>(async () => notProvided("refresh")),
    logout: fromPromise<void>(async () => notProvided("logout")),
    /** The profile of the token's user; a 401 leads to a refresh, as with any call. */
    loadProfile: fromPromise<UserProfile, { userId: string }>(async () => notProvided("loadProfile")),
  },
  actions: {
    persist: (_, _params: StoredSession) => notProvided("persist"),
    persistUser: (_, _params: UserProfile) => notProvided("persistUser"),
    /** Removes the stored token only. */
    clearToken: () => notProvided("clearToken"),
    /** Removes all persisted state of the person. */
    clearPersistedState: () => notProvided("clearPersistedState"),
    acceptStored: assign((_, stored: StoredSession) => sessionOf(stored)),
    acceptOutcome: assign((_, outcome: RefreshOutcome) => ("stored" in outcome ? sessionOf(outcome.stored) : {})),
    /** An equal profile stays the same object: nothing is drawn again. */
    acceptUser: assign({
      user: ({ context: { user: known } }, user: UserProfile) => (JSON.stringify(known) === JSON.stringify(user) ? known : user),
    }),
    resetContext: assign(signedOut),
    beginRefresh: assign({
      refresh: ({ context, event }) => ({
        ...noRefresh,
        from: context.token?.value ?? null,
        startedAt: context.now(),
        seenAt: context.now(),
        afterUnauthorized: sourceOf(event),
      }),
    }),
    noteUnauthorized: assign({
      refresh: ({ context: { refresh }, event }) => {
        const source = sourceOf(event) ?? "session";
        return { ...refresh, afterUnauthorized: source === "call" ? source : (refresh.afterUnauthorized ?? source) };
      },
    }),
    noteAsked: assign({ refresh: ({ context }) => seenNow(context) }),
    recordNoAnswer: assign({
      refresh: ({ context }) => {
        const seen = seenNow(context);
        return { ...seen, unanswered: seen.unanswered + 1 };
      },
    }),
    noteOutcome: assign({
      refresh: ({ context }) => ({ ...context.refresh, outcome: context.token === null ? "failed" : "succeeded" }),
    }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1, lastFailureAt: ({ context }) => context.now() }),
    resetFailures: assign({ failures: 0, lastFailureAt: null, lastRenewalAt: ({ context }) => context.now() }),
    emitStart: emit(({ event }): SessionEmitted => {
      return { type: "session.started", origin: event.type === "token.stored" ? "signIn" : "other" };
    }),
    emitEnd: emit((_, reason: EndReason): SessionEmitted => ({ type: "session.ended", reason })),
    /** Before the new profile is accepted. */
    emitRights: emit(({ context: { user } }, { id, isSuperUser }: UserProfile): SessionEmitted => {
      return { type: "rights.read", areLost: user?.id === id && user.isSuperUser && !isSuperUser };
    }),
    emitReset: emit({ type: "state.reset" }),
    emitDelay: emit({ type: "signOut.delayed" }),
    emitSkipped: emit(({ context }): SessionEmitted => {
      return { type: "session.ended", reason: context.refresh.afterUnauthorized === "call" ? "refused" : "forced" };
    }),
    emitForced: emit({ type: "logout.forced" }),
    /** Equivalent to the storage event having fired already. */
    noticeChange: raise((_, outcome: RefreshOutcome): SessionEvent => {
      return { type: "storage.changed", stored: "stored" in outcome ? outcome.stored : signedOut };
    }),
    checkStorage: sendTo("environment", { type: "session.reliedOn" } satisfies SessionEvent),
    requestLogout: raise({ type: "logout.due" }),
  },
  guards: {
    hasToken: ({ context }) => context.token !== null,
    isValid: ({ context }) => lifeLeft(context) > refreshThreshold,
    needsRefresh: ({ context }) => context.token !== null && lifeLeft(context) > 0 && lifeLeft(context) <= refreshThreshold,
    canRead: ({ context }) => lifeLeft(context) > 0 && !context.isAway(),
    isExpired: ({ context }) => context.token !== null && lifeLeft(context) === 0,
    isDueForRefresh: ({ context }) => isDueForRefresh(context),
    /** The third failure is not 30 s ago. */
    mustBackOff: ({ context }) => backOffLeft(context) > 0,
    /**
     * The timer that ends the state may be late, in a background tab or after a computer's sleep, so the clock decides.
     */
    isBackingOff: and([stateIn({ backOff: "backingOff" }), ({ context }) => backOffLeft(context) > 0]),
    wasCallRefused: ({ context }) => context.refresh.afterUnauthorized === "call",
    mustClearAuthData: ({ context }) => context.refresh.afterUnauthorized !== null || context.failures >= maxFailures,
    /** A late 401 for a token that has been replaced, or after sign-out, is no reason to refresh. */
    isAboutThisToken: ({ context, event }) => event.type === "unauthorized.answered" && context.token?.value === event.refused,
    tokenWasReplaced: ({ context }) => (context.token?.value ?? null) !== context.refresh.from,
    failedButSignedIn: ({ context }) => context.refresh.outcome === "failed" && context.token !== null,
    lacksProfile: ({ context }) => lifeLeft(context) > 0 && context.user?.id !== context.token?.userId,
    isSameUser: ({ context }, { id }: UserProfile) => context.token?.userId === id,
    disappeared: ({ context, event }) =>
      event.type === "storage.changed" && event.stored.token === null && context.token !== null,
    isAboutSomeoneElse: ({ context, event }) =>
      event.type === "storage.changed" && event.stored.token !== null && event.stored.token.userId !== context.token?.userId,
  },
  delays: {
    markerRelease,
    signOutTimeout,
    noticeableDelay,
    freshness,
    nextCheck: ({ context }) => nextCheck(context),
    /** The remaining ms of the back-off. */
    backOffWindow: ({ context }) => Math.max(1, backOffLeft(context)),
    retryDelay: ({ context }) => retryDelay(context),
  },
});
