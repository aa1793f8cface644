import { Hono } from "hono";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createLocalBus } from "#server/bus/bus.ts";
import { createLocalClaims } from "#server/cluster/claims.ts";
import { createConcurrency } from "#server/http/concurrency.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type EventStream, eventStream } from "#server/http/event-stream.ts";
import { createLog } from "#server/log/log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Opens a stream whose source counts how often it is polled. */
async function open(poll: (stream: EventStream, times: number) => void = () => {}) {
  const log = createLog("silent", Date.now);
  const concurrency = createConcurrency({ claims: createLocalClaims(), bus: createLocalBus(log) });
  const readiness = { isDraining: false };
  const listeners = new Set<() => void>();
  let polled = 0;
  const app = new Hono<AppEnv>();
  app.get("/", (c) => {
    c.set("tokenExpiresAt", Date.now() + 3_600_000);
    c.set("sessionId", "session");
    c.set("user", { ...person, id: "ann" });
    const source = {
      subscribe: (changed: () => void) => {
        listeners.add(changed);
        return () => void listeners.delete(changed);
      },
      poll: async (stream: EventStream) => {
        polled += 1;
        poll(stream, polled);
      },
    };
    return eventStream(c, { now: Date.now, log, concurrency, readiness }, source);
  });
  const answer = await app.request("/");
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  await vi.advanceTimersByTimeAsync(0);
  return {
    reader,
    readiness,
    listeners,
    polled: () => polled,
    changed: () => {
      for (const listener of listeners) listener();
    },
  };
}

const person = {
  email: "ann@example.org",
  name: "Ann",
  password_hash: "",
  email_verified: 1,
  is_superuser: 0,
  plan_type: "free",
  revision: 0,
  language: "en",
  avatar: null,
  created_at: 0,
  blocked_at: null,
  filing_revision: 0,
} as const;

describe("event stream", () => {
  test("polls its source at the beginning and then only after a change", async () => {
    const { polled, changed } = await open();
    expect(polled()).toBe(1);
    await vi.advanceTimersByTimeAsync(9_000);
    expect(polled()).toBe(1);
    changed();
    await vi.advanceTimersByTimeAsync(0);
    expect(polled()).toBe(2);
  });

  test("polls its source at most three times a second, and once more after the last change", async () => {
    const { polled, changed } = await open();
    for (let at = 0; at < 3_000; at += 10) {
      changed();
      await vi.advanceTimersByTimeAsync(10);
    }
    expect(polled()).toBeGreaterThan(8);
    expect(polled()).toBeLessThan(13);
    await vi.advanceTimersByTimeAsync(1_000);
    const before = polled();
    changed();
    await vi.advanceTimersByTimeAsync(100);
    changed();
    await vi.advanceTimersByTimeAsync(100);
    expect(polled()).toBe(before + 1);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(polled()).toBe(before + 2);
  });

  test("polls its source every ten seconds in case a message is lost", async () => {
    const { polled } = await open();
    await vi.advanceTimersByTimeAsync(30_500);
    expect(polled()).toBe(4);
  });

  test("stops polling while the client does not read, and goes on afterwards", async () => {
    const { reader, polled, changed } = await open((stream, times) => {
      if (times === 1) stream.send("transcription", "x".repeat(3 * 1024 * 1024), 1);
    });
    changed();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(polled()).toBe(1);
    for (let length = 0; length < 3 * 1024 * 1024; ) length += (await reader?.read())?.value?.length ?? 0;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(polled()).toBe(2);
  });

  test("ends the event stream and its subscription when the server drains", async () => {
    const { reader, readiness, listeners } = await open();
    expect(listeners.size).toBe(1);
    readiness.isDraining = true;
    await vi.advanceTimersByTimeAsync(500);
    while ((await reader?.read())?.done === false);
    expect(listeners.size).toBe(0);
  });
});
