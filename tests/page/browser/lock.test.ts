import { expect, test } from "vitest";
import { createLock, type Locks } from "#src/browser/lock.ts";

/** A lock manager that grants when the test says so. It rejects on abort if `heedsSignal` is true. */
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

test("runs the work once the lock is granted, and returns its result", async () => {
  const { waiting, locks } = fakeLocks({ heedsSignal: true });
  const lock = createLock("x", locks, () => new AbortController().signal);
  let done = 0;
  const result = lock(async () => ++done);
  expect(done).toBe(0);
  await waiting[0]?.();
  expect(await result).toBe(1);
});

test("passes on the work's error, and runs the work once", async () => {
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

test("returns the result at once although the lock is held longer", async () => {
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

test("work under a lock also runs in a browser without locks", async () => {
  expect(await createLock("x", undefined)(async () => 7)).toBe(7);
});

test.each([true, false])(
  "runs the work without a lock that is not granted in time (rejects on abort: %s)",
  async (heedsSignal) => {
    const { waiting, locks } = fakeLocks({ heedsSignal });
    const deadline = new AbortController();
    const lock = createLock("x", locks, () => deadline.signal);
    let done = 0;
    const result = lock(async () => ++done);
    deadline.abort();
    expect(await result).toBe(1);
    await waiting[0]?.();
    expect(done).toBe(1);
  },
);

test("continues work that takes longer than the time limit under the lock", async () => {
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
