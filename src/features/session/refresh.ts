import type { RefreshOutcome } from "#machines/session/rules.ts";
import { ApiError } from "#src/api/http.ts";
import type { Lock } from "#src/browser/lock.ts";
import { clockOffsetOf, readToken } from "./jwt.ts";
import type { SessionStore } from "./store.ts";

interface RefreshWorld {
  store: SessionStore;
  lock: Lock;
  /** Requests a new token. @returns the new token */
  ask(signal: AbortSignal): Promise<string>;
  /** Epoch ms. */
  now(): number;
  /**
   * Other tabs wait for this long: a stored token reaches another tab's storage with a delay (Chromium), and a tab that gets the
   * lock before the token would request one more.
   */
  settle(): Promise<void>;
}

/** One attempt to replace the token `from`; never rejects. A new token is stored before the lock is released. */
export type Refresh = (from: string | null, signal: AbortSignal) => Promise<RefreshOutcome>;

export function createRefresh({ store, lock, ask, now, settle }: RefreshWorld): Refresh {
  return (from, signal) => {
    const isSuperseded = () => signal.aborted || (store.read().token?.value ?? null) !== from;
    const superseded = (): RefreshOutcome => ({ kind: "superseded", stored: store.read() });
    const attempt = async (): Promise<RefreshOutcome> => {
      if (isSuperseded()) return superseded();
      try {
        const value = await ask(signal);
        // If the person signed out during the request, the new token must not sign them in again.
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

function failureOf(error: unknown): "refused" | "noAnswer" | "failed" {
  if (!(error instanceof ApiError)) return "failed";
  if (error.status === 0) return "noAnswer";
  if (error.status !== 401) return "failed";
  if (/no auth token/i.test(error.message)) {
    console.warn("The refresh cookie did not reach the server: check its SameSite and the API's CORS origins.");
  }
  return "refused";
}
