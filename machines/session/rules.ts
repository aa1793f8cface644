import type { UserProfile } from "#contract/index.ts";

/** SPEC.md section 9. All in milliseconds. */
export const refreshThreshold = 5 * 60_000;
export const maxFailures = 3;
export const backOffWindow = 30_000;
export const markerRelease = 100;
/** The spec has no time-out for calls; a server that hangs must not keep a person signed in who wants to sign out. */
export const signOutTimeout = 5_000;
/** Anything slower than this shows that it is under way. */
export const noticeableDelay = 400;
/** For this long after it was loaded, in ms, a profile counts as current. */
export const freshness = 5_000;
/** A device that has just woken has no network yet: an expired token's refresh may stay unanswered for this long. */
const wakeGrace = 10_000;
/** A server whose tokens live for less than the threshold is not asked in a loop. */
const minBetweenRenewals = 30_000;
/**
 * The maximum ms between two checks of the clock: timers stop while a computer sleeps, and timers over 24.8 days fire
 * at once.
 */
const longestCheck = 60_000;
const firstRetry = 1_000;
const longestRetry = 30_000;

export interface SessionToken {
  value: string;
  /** Epoch ms on the server's clock. */
  expiresAt: number;
  userId: string;
}

/** Persisted across reloads. */
export interface StoredSession {
  token: SessionToken | null;
  /** Milliseconds by which the server's clock is ahead of this device's; 0 when unknown. */
  clockOffset: number;
  user: UserProfile | null;
}

/** The outcome of a refresh attempt. */
export type RefreshOutcome =
  | { kind: "renewed"; stored: StoredSession }
  /** Another writer (a tab, a sign-out) has changed the stored token; the server's answer is discarded. */
  | { kind: "superseded"; stored: StoredSession }
  /** The server answered 401. */
  | { kind: "refused" }
  | { kind: "noAnswer" }
  | { kind: "failed" };

export interface SessionContext extends StoredSession {
  /** Epoch ms on this device's clock. */
  now(): number;
  /** Whether nothing is known to be reachable. */
  isAway(): boolean;
  failures: number;
  lastFailureAt: number | null;
  lastRenewalAt: number | null;
  /** The refresh in flight, or whose marker is not released yet. */
  refresh: {
    /** The token to replace. */
    from: string | null;
    /** When it began, or when the device has woken since. */
    startedAt: number;
    /** When it was last asked, or not answered. */
    seenAt: number;
    unanswered: number;
    /**
     * The source of a 401, if any: if the refresh then fails, everything is cleared; a refused call of a page leads to
     * /signin.
     */
    afterUnauthorized: "call" | "session" | null;
    outcome: "pending" | "succeeded" | "failed";
  };
}

export const noRefresh: SessionContext["refresh"] = {
  from: null,
  startedAt: 0,
  seenAt: 0,
  unanswered: 0,
  afterUnauthorized: null,
  outcome: "pending",
};

/** The token's remaining life, in ms; 0 without a token. */
export function lifeLeft({ token, clockOffset, now }: SessionContext): number {
  return token === null ? 0 : Math.max(0, token.expiresAt - (now() + clockOffset));
}

/** For how long refreshes are still skipped, in ms; 0 if they are not. */
export function backOffLeft({ failures, lastFailureAt, now }: SessionContext): number {
  if (failures < maxFailures || lastFailureAt === null) return 0;
  return Math.max(0, backOffWindow - Math.abs(now() - lastFailureAt));
}

/** Whether a refresh should begin without a request. */
export function isDueForRefresh(context: SessionContext): boolean {
  const { token, lastRenewalAt, now } = context;
  const spaced = lastRenewalAt === null || Math.abs(now() - lastRenewalAt) >= minBetweenRenewals;
  return token !== null && lifeLeft(context) <= refreshThreshold && spaced;
}

/**
 * The current view of the refresh in flight. If more time has passed than a call and the following pause take, the
 * computer has slept, or its clock was set: as after any wake-up, there may be no network yet.
 */
export function seenNow({ refresh, now }: SessionContext): SessionContext["refresh"] {
  const hasSlept = Math.abs(now() - refresh.seenAt) > longestCheck;
  const seen = { ...refresh, seenAt: now() };
  return hasSlept ? { ...seen, startedAt: now(), unanswered: 0 } : seen;
}

/**
 * When an unanswered refresh counts as failed, in ms from now: at the token's end. Without a network it never fails,
 * because nobody could sign in again, and the data in this browser is still the person's.
 */
export function retryTimeLeft(context: SessionContext): number {
  if (context.token === null) return 0;
  if (context.isAway()) return longestRetry;
  return Math.max(lifeLeft(context), seenNow(context).startedAt + wakeGrace - context.now());
}

/** In ms: 1 s, 2 s, 4 s … 30 s, and finally at the end of the retry period. */
export function retryDelay(context: SessionContext): number {
  const growing = Math.min(longestRetry, firstRetry * 2 ** (context.refresh.unanswered - 1));
  return Math.min(growing, Math.max(1, retryTimeLeft(context)));
}

/** When to check the token again, in ms from now. */
export function nextCheck(context: SessionContext): number {
  const life = lifeLeft(context);
  const boundary = life > refreshThreshold ? life - refreshThreshold : life > 0 ? life : longestCheck;
  return Math.min(longestCheck, Math.max(1, boundary));
}
