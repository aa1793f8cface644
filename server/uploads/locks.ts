import type { Lock, Locker } from "@tus/server";

interface Holder {
  /** Resolves when it has let go. */
  over: Promise<void>;
  release(): void;
  /** Asks it to come to an end. */
  cancel(): void;
}

/**
 * One request at a time for each upload. Who comes while another one holds it (a connection that is dead without anyone knowing) asks
 * that one to end, and waits. The MemoryLocker of @tus/server does the same, but keeps a processor busy while it waits.
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
