import type { RefreshOutcome } from "#machines/session/rules.ts";
import { ApiError } from "#src/api/http.ts";
import type { Lock } from "#src/browser/lock.ts";
import { hedged } from "./hedge.ts";
import { clockOffsetOf, readToken } from "./jwt.ts";
import type { SessionStore } from "./store.ts";

interface RefreshEnvironment {
  store: SessionStore;
  lock: Lock;
  /** Requests a new token. @returns the new token */
  ask(signal: AbortSignal): Promise<string>;
  /** Resolves when an unanswered request should be repeated (`hedgeAfter`). */
  overdue(): Promise<void>;
  /** Epoch ms. */
  now(): number;
  /**
   * Delay before other tabs get the lock. In Chromium, a stored token reaches another tab's storage late, and that tab
   * would request one more.
   */
  settle(): Promise<void>;
}

/** One attempt to replace the token `from`. Never rejects. Stores a new token before it releases the lock. */
export type Refresh = (from: string | null, signal: AbortSignal) => Promise<RefreshOutcome>;

export function createRefresh({ store, lock, ask, overdue, now, settle }: RefreshEnvironment): Refresh {
  return (from, signal) => {
    const isSuperseded = () => signal.aborted || (store.read().token?.value ?? null) !== from;
    const superseded = (): RefreshOutcome => ({ kind: "superseded", stored: store.read() });
    const isSamePerson = () => from !== null && store.read().token?.userId === readToken(from).userId;
    const request = async () => {
      const end = new AbortController();
      // An abandoned request may already have changed the cookie on the server. It is not aborted at once, because the
      // session would soon end without the new cookie.
      const finish = async () => {
        if (isSamePerson()) await overdue();
        end.abort(signal.reason);
      };
      signal.addEventListener("abort", finish, { once: true });
      const wait = () => overdue().then(() => !signal.aborted);
      const answer = hedged(ask, end.signal, { wait, isUnanswered });
      return Promise.race([answer, whenAborted(signal)]).finally(() => signal.removeEventListener("abort", finish));
    };
    const attempt = async (): Promise<RefreshOutcome> => {
      if (isSuperseded()) return superseded();
      try {
        const value = await request();
        // If the user has signed out during the request, the new token must not sign them in again.
        if (isSuperseded()) return superseded();
        const stored = { token: readToken(value), clockOffset: clockOffsetOf(value, now()), user: store.read().user };
        store.persist(stored);
        return { kind: "renewed", stored };
      } catch (error) {
        if (isSuperseded()) return superseded();
        return { kind: failureOf(error) };
      }
    };
    return lock(attempt, ({ kind }) => (kind === "renewed" ? settle() : Promise.resolve()));
  };
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

const isUnanswered = (error: unknown): boolean => error instanceof ApiError && error.status === 0;

function failureOf(error: unknown): "refused" | "noAnswer" | "failed" {
  if (!(error instanceof ApiError)) return "failed";
  if (isUnanswered(error)) return "noAnswer";
  if (error.status !== 401) return "failed";
  if (/no auth token/i.test(error.message)) {
    console.warn("The refresh cookie did not reach the server: check its SameSite and the API's CORS origins.");
  }
  return "refused";
}
