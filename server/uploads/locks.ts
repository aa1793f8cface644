import type { Lock, Locker } from "@tus/server";

interface Holder {
  /** Resolves when the lock is released. */
  over: Promise<void>;
  release(): void;
  /** Asks the holder to release it. */
  cancel(): void;
}

/**
 * One request at a time per upload. A request that finds the lock held (by a connection that is dead but not closed) asks the
 * holder to stop, and waits. MemoryLocker of @tus/server does the same, but busy-waits.
 */
export function createLocks(): Locker {
  const holders = new Map<string, Holder>();
  return {
    newLock: (id): Lock => {
      let mine: Holder | undefined;
      return {
        lock: async (signal, cancel) => {
          for (let holder = holders.get(id); holder !== undefined; holder = holders.get(id)) {
            holder.cancel();
            await untilAborted(holder.over, signal);
          }
          const { promise, resolve } = Promise.withResolvers<void>();
          mine = { over: promise, release: resolve, cancel: () => void cancel() };
          holders.set(id, mine);
        },
        unlock: async () => {
          if (mine === undefined || holders.get(id) !== mine) return;
          holders.delete(id);
          mine.release();
        },
      };
    },
  };
}

function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    void work.then(resolve).finally(() => signal.removeEventListener("abort", stop));
  });
}
