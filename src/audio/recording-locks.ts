import type { RecordingLocks } from "./recordings.ts";

/**
 * Locks recordings with Web Locks, which the browser releases with the tab, even after a crash. Without Web Locks,
 * nothing is locked.
 * @param prefix of the locks' names
 */
export function createRecordingLocks(locks: LockManager | undefined, prefix = "parlance-recording:"): RecordingLocks {
  return {
    take: (id) => {
      const { promise, resolve, reject } = Promise.withResolvers<(() => Promise<void>) | undefined>();
      if (locks === undefined) {
        resolve(async () => {});
        return promise;
      }
      const held = Promise.withResolvers<void>();
      const over = locks.request(prefix + id, { ifAvailable: true }, (lock) => {
        resolve(lock === null ? undefined : release);
        return lock === null ? undefined : held.promise;
      });
      const release = async () => {
        held.resolve();
        await over;
      };
      over.catch(reject);
      return promise;
    },
    taken: async () => {
      const { held = [] } = (await locks?.query()) ?? {};
      return new Set(held.flatMap(({ name }) => (name?.startsWith(prefix) ? [name.slice(prefix.length)] : [])));
    },
  };
}
