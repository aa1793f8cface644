import { expect, test } from "vitest";
import { unlessAborted } from "#server/threads/unless-aborted.ts";

const never = new Promise<never>(() => {});

test("rejects at the abort without waiting for work that ignores it", async () => {
  const stop = new AbortController();
  const waited = unlessAborted(stop.signal, never);
  stop.abort(new Error("enough"));
  await expect(waited).rejects.toThrow("enough");
});

test("rejects with the abort reason when the signal is already aborted, whatever the work does", async () => {
  const over = AbortSignal.abort(new Error("too late"));
  await expect(unlessAborted(over, never)).rejects.toThrow("too late");
  await expect(unlessAborted(over, Promise.reject(new Error("broken")))).rejects.toThrow("too late");
});

test("passes on the work's result or error without an abort", async () => {
  const { signal } = new AbortController();
  expect(await unlessAborted(signal, Promise.resolve(7))).toBe(7);
  await expect(unlessAborted(signal, Promise.reject(new Error("broken")))).rejects.toThrow("broken");
});
