import { describe, expect, test } from "vitest";
import { selectCanRetry, selectFailure } from "#machines/dictation/selectors.ts";
import { toFinishing, toOnline, toRecording } from "./harness.ts";

describe("a lost connection", () => {
  test("is opened again after 1, 2, 4 … 30 s", async () => {
    const { phase, clock, connection } = await toOnline();
    for (const [i, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
      connection.say({ type: "connection.lost", code: null });
      expect(phase()).toBe("reconnecting");
      clock.increment(seconds * 1000 - 1);
      expect(connection.isRunning()).toBe(false);
      clock.increment(1);
      expect(connection.starts()).toBe(i + 2);
      // Not back yet: opening it has still to work.
      expect(phase()).toBe("reconnecting");
    }
    connection.say({ type: "connection.opened" });
    expect(phase()).toBe("recording");
    connection.say({ type: "connection.lost", code: null });
    clock.increment(1000);
    expect(connection.starts()).toBe(9);
  });

  test("is opened at once when the device is back", async () => {
    const { connection, wakeUps } = await toOnline();
    connection.say({ type: "connection.lost", code: null });
    wakeUps.say({ type: "page.resumed" });
    expect(connection.starts()).toBe(2);
  });

  test("the first one that can't be opened counts too", async () => {
    const { phase, connection, clock } = await toRecording();
    connection.say({ type: "connection.lost", code: null });
    expect(phase()).toBe("reconnecting");
    clock.increment(1000);
    expect(connection.starts()).toBe(2);
  });

  test("one that does not open in 15 s is given up for another", async () => {
    const { clock, connection } = await toRecording();
    clock.increment(15_000);
    expect(connection.isRunning()).toBe(false);
    clock.increment(1000);
    expect(connection.starts()).toBe(2);
  });

  test("one that the other side does not hear any more is noticed: it is checked every 15 seconds", async () => {
    const { clock, connection, phase } = await toOnline();
    for (let i = 0; i < 5; i++) clock.increment(15_000);
    expect([connection.starts(), connection.heard.length]).toEqual([1, 5]);
    expect(connection.heard.at(-1)).toEqual({ type: "connection.checkRequested" });
    connection.say({ type: "connection.lost", code: null });
    expect([phase(), connection.heard.length]).toEqual(["reconnecting", 5]);
    clock.increment(1000);
    expect(connection.starts()).toBe(2);
  });

  test("while finishing says so, and nothing is given up for it", async () => {
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

describe("an engine that fails", () => {
  test("while recording: it is tried for as long as somebody speaks, with growing delays", async () => {
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

  test("while finishing: the fourth failure without a word is shown; trying again counts anew", async () => {
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

  test("a word in between shows that it works", async () => {
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

describe("a session that ended", () => {
  test("recording goes on; one refusal is no proof", async () => {
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

  test("after Stop the person is asked to sign in; what was captured can be finished then", async () => {
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

test.each(["languageUnavailable", "badRequest", "forbidden"])("%s: nobody goes on speaking to nobody", async (code) => {
  const { phase, connection, capture, get } = await toRecording();
  connection.say({ type: "connection.lost", code });
  expect(phase()).toBe("failed");
  expect(selectFailure(get())).toBe(code);
  expect(capture.isRunning()).toBe(false);
  expect(connection.isRunning()).toBe(false);
});
