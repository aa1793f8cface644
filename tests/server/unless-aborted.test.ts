import { expect, test } from "vitest";
import { unlessAborted } from "#server/threads/unless-aborted.ts";

const never = new Promise<never>(() => {});

test("work that does not listen is not waited for", async () => {
  const stop = new AbortController();
  const waited = unlessAborted(stop.signal, never);
  stop.abort(new Error("enough"));
  await expect(waited).rejects.toThrow("enough");
});

test("nor is it when all was over before it began, whatever becomes of it", async () => {
  const over = AbortSignal.abort(new Error("too late"));
  await expect(unlessAborted(over, never)).rejects.toThrow("too late");
  await expect(unlessAborted(over, Promise.reject(new Error("broken")))).rejects.toThrow("too late");
});

test("otherwise it is the work's result, or its error", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(signal, Promise.resolve(7))).toBe(7);
  await expect(unlessAborted(signal, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});
