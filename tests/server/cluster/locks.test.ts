import { expect, test } from "vitest";
import { createLocalLocks, inTurn } from "#server/cluster/locks.ts";

test("asks the holder to release a lock, and gives it to the next waiter on release", async () => {
  const locks = createLocalLocks();
  let asked = 0;
  const release = await locks.take("upload", { wanted: () => (asked += 1) });
  const order: string[] = [];
  const second = locks.take("upload").then((releaseSecond) => {
    order.push("second");
    return releaseSecond();
  });
  await locks.take("another");
  expect(asked).toBe(1);
  order.push("released");
  await release();
  await release();
  await second;
  expect(order).toEqual(["released", "second"]);
});

test("never gives the lock to a waiter that stopped waiting", async () => {
  const locks = createLocalLocks();
  const release = await locks.take("upload");
  const gone = new AbortController();
  const waiting = locks.take("upload", { signal: gone.signal });
  gone.abort(new Error("gone"));
  await expect(waiting).rejects.toThrow("gone");
  await release();
  expect(locks.held()).toEqual([]);
});

test("releases the lock when the work fails", async () => {
  const locks = createLocalLocks();
  await expect(inTurn(locks, "work", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await inTurn(locks, "work", async () => "done")).toBe("done");
});
