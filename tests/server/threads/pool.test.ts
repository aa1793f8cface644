import { expect, onTestFinished, test } from "vitest";
import { openPool } from "#server/threads/pool.ts";

const [ann, bob] = [{ person: "ann" }, { person: "bob" }];
/** ms; no task of these tests takes so long unless it hangs. */
const longMs = 60_000;

function open() {
  const pool = openPool(new URL("./odd-tasks.ts", import.meta.url), { memoryMb: 64, idleMs: 60_000 });
  onTestFinished(() => pool.close());
  return pool;
}

test("runs other users' tasks and short tasks while one user's hang, and ends all on close", async () => {
  const pool = open();
  const hanging = Array.from({ length: 20 }, () => pool.run({ name: "hangs", input: "" }, longMs, ann));
  const ended = Promise.allSettled(hanging);
  expect(await pool.run({ name: "same", input: "long" }, longMs, bob)).toBe("long");
  expect(await pool.run({ name: "same", input: "short" }, longMs, { ...ann, isShort: true })).toBe("short");
  await pool.close();
  expect(new Set((await ended).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  await expect(pool.run({ name: "same", input: "" }, longMs, bob)).rejects.toMatchObject({ code: "internal" });
});

test.each([
  ["hangs", 1, "tooLarge"],
  ["fills", longMs, "tooLarge"],
  ["ends", longMs, "internal"],
])("fails a task that %s with its thread and runs the next in a new thread", async (name, timeoutMs, code) => {
  const pool = open();
  await expect(pool.run({ name, input: "" }, timeoutMs, ann)).rejects.toMatchObject({ code });
  expect(await pool.run({ name: "same", input: "next" }, longMs, ann)).toBe("next");
});

test("counts only computing time toward a task's limit", async () => {
  await expect(open().run({ name: "waits", input: "" }, 200, ann)).resolves.toBeUndefined();
});

test("rejects a task whose input can't be cloned and keeps the thread", async () => {
  const pool = open();
  await expect(pool.run({ name: "same", input: () => "" }, longMs, ann)).rejects.toThrow("could not be cloned");
  expect(await pool.run({ name: "same", input: "next" }, longMs, ann)).toBe("next");
});
