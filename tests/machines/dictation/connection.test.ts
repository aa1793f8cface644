import { describe, expect, test } from "vitest";
import { selectCanRetry, selectFailure } from "#machines/dictation/selectors.ts";
import { toFinishing, toOnline, toRecording } from "./harness.ts";

describe("lost connection of a dictation", () => {
  test("reopens a lost connection after 1, 2, 4 … 30 s", async () => {
    const { phase, clock, connection } = await toOnline();
    for (const [i, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      connection.say({ type: "connection.lost", code: null });
      expect(phase()).toBe("reconnecting");
      clock.increment(seconds * 1000 - 1);
      expect(connection.isRunning()).toBe(false);
      clock.increment(1);
      expect(connection.starts()).toBe(i + 2);
      // Not connected yet: opening must still succeed.
      expect(phase()).toBe("reconnecting");
    }
    connection.say({ type: "connection.opened" });
    expect(phase()).toBe("recording");
    connection.say({ type: "connection.lost", code: null });
    clock.increment(1000);
    expect(connection.starts()).toBe(9);
  });

  test("reopens the connection at once when the device is back", async () => {
    const { connection, wakeUps } = await toOnline();
    connection.say({ type: "connection.lost", code: null });
    wakeUps.say({ type: "page.resumed" });
    expect(connection.starts()).toBe(2);
  });

  test("counts a first connection that can't be opened as lost", async () => {
    const { phase, connection, clock } = await toRecording();
    connection.say({ type: "connection.lost", code: null });
    expect(phase()).toBe("reconnecting");
    clock.increment(1000);
    expect(connection.starts()).toBe(2);
  });

  test("replaces a connection that does not open within 15 s", async () => {
    const { clock, connection } = await toRecording();
    clock.increment(15_000);
    expect(connection.isRunning()).toBe(false);
    clock.increment(1000);
    expect(connection.starts()).toBe(2);
  });

  test("checks every 15 s whether the other side still answers", async () => {
    const { clock, connection, phase } = await toOnline();
    for (let i = 0; i < 5; i++) clock.increment(15_000);
    expect([connection.starts(), connection.heard.length]).toEqual([1, 5]);
    expect(connection.heard.at(-1)).toEqual({ type: "connection.checkRequested" });
    connection.say({ type: "connection.lost", code: null });
    expect([phase(), connection.heard.length]).toEqual(["reconnecting", 5]);
    clock.increment(1000);
    expect(connection.starts()).toBe(2);
  });

  test("shows a lost connection while finishing, and gives nothing up", async () => {
    const { phase, clock, connection } = await toFinishing();
    for (let i = 0; i < 20; i++) {
      connection.say({ type: "connection.lost", code: null });
      expect(phase()).toBe("finishingOffline");
      clock.increment(30_000);
    }
    connection.say({ type: "connection.opened" });
    expect(phase()).toBe("finishing");
  });
});

describe("failing engine of a dictation", () => {
  test("retries the engine with growing delays for as long as the person speaks", async () => {
    const { phase, clock, connection } = await toOnline();
    for (let i = 0; i < 10; i++) {
      connection.say({ type: "connection.lost", code: "engineFailed" });
      clock.increment(30_000);
      connection.say({ type: "connection.opened" });
    }
    expect(phase()).toBe("recording");
    connection.say({ type: "connection.lost", code: "engineFailed" });
    clock.increment(29_999);
    expect(connection.isRunning()).toBe(false);
  });

  test("shows the fourth failure without a word while finishing, and counts again after a retry", async () => {
    const { actor, phase, clock, connection, get } = await toFinishing();
    for (let i = 0; i < 3; i++) {
      connection.say({ type: "connection.lost", code: "engineFailed" });
      expect(phase()).toBe("finishingOffline");
      clock.increment(30_000);
      connection.say({ type: "connection.opened" });
    }
    connection.say({ type: "connection.lost", code: "engineFailed" });
    expect(phase()).toBe("failed");
    expect(selectFailure(get())).toBe("engineFailed");
    expect(selectCanRetry(get())).toBe(true);
    actor.send({ type: "retry.requested" });
    expect(phase()).toBe("finishing");
    expect(connection.starts()).toBe(5);
    connection.say({ type: "connection.opened" });
    connection.say({ type: "connection.lost", code: "engineFailed" });
    expect(phase()).toBe("finishingOffline");
  });

  test("counts a word between failures as a sign that the engine works", async () => {
    const { phase, clock, connection } = await toFinishing();
    for (let i = 0; i < 12; i++) {
      connection.say({ type: "connection.lost", code: "engineFailed" });
      clock.increment(30_000);
      connection.say({ type: "connection.opened" });
      connection.say({ type: "connection.advanced" });
    }
    expect(phase()).toBe("finishing");
  });
});

describe("ended session during a dictation", () => {
  test("continues recording after the server refuses one connection", async () => {
    const { actor, phase, clock, connection, capture } = await toOnline();
    connection.say({ type: "connection.lost", code: "unauthorized" });
    clock.increment(1000);
    connection.say({ type: "connection.lost", code: "unauthorized" });
    expect(phase()).toBe("reconnecting");
    expect(capture.isRunning()).toBe(true);
    clock.increment(2000);
    connection.say({ type: "connection.opened" });
    actor.send({ type: "stop.requested" });
    clock.increment(300);
    expect(phase()).toBe("finishing");
  });

  test("asks the person to sign in after Stop, and can finish the recording then", async () => {
    const { actor, phase, clock, connection, get } = await toOnline();
    connection.say({ type: "connection.lost", code: "unauthorized" });
    clock.increment(1000);
    connection.say({ type: "connection.lost", code: "unauthorized" });
    actor.send({ type: "stop.requested" });
    clock.increment(300);
    expect(phase()).toBe("failed");
    expect(selectFailure(get())).toBe("unauthorized");
    actor.send({ type: "retry.requested" });
    connection.say({ type: "connection.opened" });
    expect(phase()).toBe("finishing");
  });
});

test.each(["languageUnavailable", "badRequest", "forbidden"])(
  "stops recording when nothing can be recognized: %s",
  async (code) => {
    const { phase, connection, capture, get } = await toRecording();
    connection.say({ type: "connection.lost", code });
    expect(phase()).toBe("failed");
    expect(selectFailure(get())).toBe(code);
    expect(capture.isRunning()).toBe(false);
    expect(connection.isRunning()).toBe(false);
  },
);
