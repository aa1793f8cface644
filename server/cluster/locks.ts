/** Locks across all processes of an installation, for work that is not a transaction: a file, a conversation. */
export interface Locks {
  /**
   * Waits until the lock of this name is free, in no particular order.
   * @param wanted called when another process waits for the lock, perhaps several times
   * @param lost called when the lock was lost without a release: the holder must stop
   * @returns a function that releases it; further calls do nothing
   * @throws the signal's reason
   */
  take(name: string, options?: LockOptions): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

interface LockOptions {
  signal?: AbortSignal;
  wanted?: () => void;
  lost?: () => void;
}

/** Runs something while a lock is held. @throws what the work throws */
export async function inTurn<Result>(locks: Pick<Locks, "take">, name: string, work: () => Promise<Result>): Promise<Result> {
  const release = await locks.take(name);
  try {
    return await work();
  } finally {
    await release();
  }
}

interface Holder {
  over: Promise<void>;
  wanted: () => void;
}

/**
 * The locks of one process, in order of request; also the first half of the locks of several processes
 * (cluster/postgres-locks.ts).
 */
export function createLocalLocks(): Locks & { want(name: string): void; held(): string[] } {
  const holders = new Map<string, Holder>();
  return {
    take: async (name, { signal, wanted = () => {} } = {}) => {
      for (let holder = holders.get(name); holder !== undefined; holder = holders.get(name)) {
        holder.wanted();
        await untilAborted(holder.over, signal);
      }
      signal?.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<void>();
      const mine = { over: promise, wanted };
      holders.set(name, mine);
      return async () => {
        if (holders.get(name) !== mine) return;
        holders.delete(name);
        resolve();
      };
    },
    want: (name) => holders.get(name)?.wanted(),
    held: () => [...holders.keys()],
    close: async () => {},
  };
}

function untilAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    void work.then(resolve).finally(() => signal.removeEventListener("abort", stop));
  });
}
