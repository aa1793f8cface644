import { expect, test } from "vitest";
import { createLock, type Locks } from "#src/browser/lock.ts";

/** A lock manager that grants when the test says so, and rejects on abort when it is a good one. */
function fakeLocks({ heedsSignal }: { heedsSignal: boolean }) {
  const waiting: (() => Promise<void>)[] = [];
  const locks: Locks = {
    request: (_name, { signal }, work) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (heedsSignal) signal.addEventListener("abort", () => reject(signal.reason));
      waiting.push(async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      });
      return promise;
    },
  };
  return { waiting, locks };
}

test("the work is done once the lock is granted, and its result handed on", async () => {
  const { waiting, locks } = fakeLocks({ heedsSignal: true });
  const lock = createLock("x", locks, () => new AbortController().signal);
  let done = 0;
  const result = lock(async () => ++done);
  expect(done).toBe(0);
  await waiting[0]?.();
  expect(await result).toBe(1);
});

test("a failure of the work is the caller's, and the work is not done twice", async () => {
  const { waiting, locks } = fakeLocks({ heedsSignal: true });
  const lock = createLock("x", locks, () => new AbortController().signal);
  let done = 0;
  const result = lock(async () => {
    done++;
    throw new Error("mine");
  });
  const failed = expect(result).rejects.toThrow("mine");
  await waiting[0]?.();
  await failed;
  expect(done).toBe(1);
});

test("the result is handed on at once, though the lock is kept for a while", async () => {
  const { waiting, locks } = fakeLocks({ heedsSignal: true });
  const lock = createLock("x", locks, () => new AbortController().signal);
  const settled = Promise.withResolvers<void>();
  const result = lock(
    async () => 1,
    () => settled.promise,
  );
  let kept = true;
  const released = waiting[0]?.().then(() => {
    kept = false;
  });
  expect(await result).toBe(1);
  expect(kept).toBe(true);
  settled.resolve();
  await released;
  expect(kept).toBe(false);
});

test("without locks the work is done all the same", async () => {
  expect(await createLock("x", undefined)(async () => 7)).toBe(7);
});

test.each([true, false])("a lock that is not granted in time is done without (rejects on abort: %s)", async (heedsSignal) => {
  const { waiting, locks } = fakeLocks({ heedsSignal });
  const deadline = new AbortController();
  const lock = createLock("x", locks, () => deadline.signal);
  let done = 0;
  const result = lock(async () => ++done);
  deadline.abort();
  expect(await result).toBe(1);
  await waiting[0]?.();
  expect(done).toBe(1);
});

test("work that takes longer than the time-out goes on under the lock", async () => {
  const { waiting, locks } = fakeLocks({ heedsSignal: false });
  const deadline = new AbortController();
  const lock = createLock("x", locks, () => deadline.signal);
  const work = Promise.withResolvers<string>();
  let begun = 0;
  const result = lock(() => {
    begun++;
    return work.promise;
  });
  void waiting[0]?.();
  deadline.abort();
  work.resolve("done");
  expect(await result).toBe("done");
  expect(begun).toBe(1);
});
