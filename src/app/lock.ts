/** Runs `work` while no other tab runs work under the same name. */
export type Lock = <T>(work: () => Promise<T>) => Promise<T>;

/** What is used of the browser's LockManager. */
export interface Locks {
  request<T>(name: string, options: { signal: AbortSignal }, work: () => Promise<T>): Promise<T>;
}

/** Milliseconds that a tab waits for another one, which may be frozen (DESIGN.md section 7). */
const patience = 5_000;

/**
 * A lock over all tabs. Where there are no Web Locks, or they hang, the work is done without: what it guards is checked again by who
 * does it.
 */
export function createLock(name: string, locks: Locks | undefined, deadline = () => AbortSignal.timeout(patience)): Lock {
  if (locks === undefined) return (work) => work();
  return async (work) => {
    const signal = deadline();
    let begun = false;
    const locked = locks.request(name, { signal }, () => {
      // A browser that grants it after all, to somebody who has gone on without.
      if (signal.aborted) throw signal.reason;
      begun = true;
      return work();
    });
    const gaveUp = new Promise<"gaveUp">((resolve) => signal.addEventListener("abort", () => resolve("gaveUp"), { once: true }));
    try {
      const first = await Promise.race([locked.then((value) => ({ value })), gaveUp]);
      if (first !== "gaveUp") return first.value;
    } catch (error) {
      if (begun) throw error;
    }
    return begun ? locked : work();
  };
}
