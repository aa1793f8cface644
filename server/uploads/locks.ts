import type { Locker } from "@tus/server";
import type { Locks } from "#server/cluster/locks.ts";

/**
 * One request at a time per upload, in all processes. A request that finds the lock held (by a connection that is dead but not closed)
 * asks the holder to stop, and waits.
 */
export function createLocker(locks: Pick<Locks, "take">): Locker {
  return {
    newLock: (id) => {
      let release: (() => Promise<void>) | undefined;
      return {
        lock: async (signal, cancel) => {
          const stop = () => void cancel();
          release = await locks.take(`upload/${id}`, { signal, wanted: stop, lost: stop });
        },
        unlock: async () => release?.(),
      };
    },
  };
}
