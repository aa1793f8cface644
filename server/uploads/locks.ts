import type { Locker } from "@tus/server";
import type { Locks } from "#server/cluster/locks.ts";

/**
 * Allows one request at a time per upload, over all processes. A request that finds the lock held (perhaps by a dead
 * connection) asks the holder to stop, and waits.
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
