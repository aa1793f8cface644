/**
 * Runs `work` while no other tab runs work under the same name.
 * @param linger how long to hold the lock afterwards; only other tabs wait for that
 */
export type Lock = <T>(work: () => Promise<T>, linger?: (value: T) => Promise<void>) => Promise<T>;

/** The used part of the browser's LockManager. */
export interface Locks {
  request(name: string, options: { signal: AbortSignal }, work: () => Promise<void>): Promise<void>;
}

/** How long a tab waits for another one, which may be frozen (ms; DESIGN.md section 7). */
const lockTimeoutMs = 5_000;

/**
 * A lock across tabs. If Web Locks are missing or hang, the work runs without a lock, so callers must check the
 * protected state again.
 */
export function createLock(name: string, locks: Locks | undefined, deadline = () => AbortSignal.timeout(lockTimeoutMs)): Lock {
  if (locks === undefined) return (work) => work();
  return async <T>(work: () => Promise<T>, linger?: (value: T) => Promise<void>) => {
    const signal = deadline();
    let begun = false;
    const done = Promise.withResolvers<T>();
    const locked = locks.request(name, { signal }, async () => {
      // The browser has granted the lock too late, when the tab had already continued without it.
      if (signal.aborted) throw signal.reason;
      begun = true;
      const value = await work();
      done.resolve(value);
      await linger?.(value);
    });
    locked.catch(done.reject);
    const gaveUp = new Promise<"gaveUp">((resolve) => signal.addEventListener("abort", () => resolve("gaveUp"), { once: true }));
    try {
      const first = await Promise.race([done.promise.then((value) => ({ value })), gaveUp]);
      if (first !== "gaveUp") return first.value;
    } catch (error) {
      if (begun) throw error;
    }
    return begun ? done.promise : work();
  };
}
