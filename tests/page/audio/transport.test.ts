import { describe, expect, test } from "vitest";
import { ackTimeoutMs } from "#src/audio/transport.ts";
import { frame, segment, until } from "#tests/page/dictation/harness.ts";
import { range, ready, setUp } from "./harness-transport.ts";

describe("audio connection", () => {
  test("introduces itself and sends every frame from the beginning", async () => {
    const { connect, line, speak, frames, emitted } = await setUp({ targetLanguage: "es" });
    await speak(3);
    connect();
    const server = await line();
    const { recordingId } = frames.row;
    expect(server.said).toEqual([{ type: "start", token: "token", recordingId, sourceLanguage: "en", targetLanguage: "es" }]);
    expect(server.numbers).toEqual([]);
    server.answer(ready(0));
    await until(() => server.numbers.length === 3);
    await speak(2);
    await until(() => server.numbers.length === 5);
    expect(server.numbers).toEqual(range(0, 5));
    expect(server.bytes).toEqual(range(0, 5));
    expect(frames.row.reached).toBe(true);
    expect(emitted).toEqual([{ type: "connection.opened" }]);
  });

  // PROMISE dictation: The browser stores what is said until the server has it on disk
  test("a connection keeps a frame until the server confirms it", async () => {
    const { connect, line, speak, frames } = await setUp();
    await speak(4);
    connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => server.numbers.length === 4);
    expect(frames.row.confirmed).toBe(0);
    server.answer({ type: "ack", ack: 3 });
    await until(() => frames.row.confirmed === 3);
  });

  test("the dictation connection resends from the frame that the server requests", async () => {
    const { connect, line, speak } = await setUp();
    await speak(6);
    connect();
    const server = await line();
    server.answer(ready(4));
    await until(() => server.numbers.length === 2);
    server.answer(ready(2));
    await until(() => server.numbers.length === 6);
    expect(server.numbers).toEqual([4, 5, 2, 3, 4, 5]);
  });

  test("the dictation connection sends at most 500 unconfirmed frames", async () => {
    const { connect, line, speak } = await setUp();
    await speak(620);
    connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => server.numbers.length === 500);
    server.answer({ type: "ack", ack: 100 });
    await until(() => server.numbers.length === 600);
    server.answer({ type: "ack", ack: 600 });
    await until(() => server.numbers.length === 620);
    expect(server.numbers).toEqual(range(0, 620));
  });

  test("sends the end once after the last frame, and delivers every word", async () => {
    const { connect, line, speak, frames, captions, emitted } = await setUp();
    await speak(2);
    connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => server.numbers.length === 2);
    frames.append(frame(2, 100));
    frames.end();
    await until(() => server.said.length === 2);
    expect(server.numbers).toEqual([0, 1, 2]);
    expect(server.said[1]).toEqual({ type: "end", frames: 3 });
    server.answer({ type: "partial", text: "one tw", start: 0 });
    await until(() => captions.get().partial !== null);
    server.answer({ type: "final", index: 0, segment: segment(0, "one") });
    await until(() => captions.get().lines.length === 1);
    server.answer({ type: "done", segments: [segment(0, "one"), segment(1, "two")], durationSeconds: 2 });
    await until(() => emitted.length === 3);
    expect(captions.get().lines.map(({ text }) => text)).toEqual(["one", "two"]);
    expect(frames.row.confirmed).toBe(3);
    expect(emitted.map(({ type }) => type)).toEqual(["connection.opened", "connection.advanced", "recording.done"]);
    await until(() => server.closed);
  });

  test("sends an end for a recording without frames, too", async () => {
    const { connect, line, frames } = await setUp();
    frames.end();
    connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => server.said.length === 2);
    expect(server.said[1]).toEqual({ type: "end", frames: 0 });
  });
});

describe("audio connection that ends", () => {
  test("the audio connection that ends is followed by one without lost or doubled words", async () => {
    const { connect, line, speak, frames, captions, emitted } = await setUp();
    await speak(3);
    connect();
    const first = await line(0);
    first.answer(ready(0));
    await until(() => first.numbers.length === 3);
    first.answer({ type: "ack", ack: 2 });
    await until(() => frames.row.confirmed === 2);
    first.close(1001);
    await until(() => emitted.length === 2);
    expect(emitted[1]).toEqual({ type: "connection.lost", code: null });
    await speak(2);
    frames.end();
    connect();
    const second = await line(1);
    second.answer(ready(3, ["one"]));
    await until(() => second.said.length === 2);
    expect(second.numbers).toEqual([3, 4]);
    expect(second.said[1]).toEqual({ type: "end", frames: 5 });
    expect(captions.get().lines.map(({ text }) => text)).toEqual(["one"]);
  });

  test.each([
    [4401, "unauthorized"],
    [4409, "interrupted"],
    [4429, "tooManyRequests"],
    [4400, "badRequest"],
    [1011, null],
    [1001, null],
  ] as const)("the audio connection that ends is lost with %i because of %s", async (closeCode, code) => {
    const { connect, line, emitted } = await setUp();
    connect();
    (await line()).close(closeCode);
    await until(() => emitted.length === 1);
    expect(emitted).toEqual([{ type: "connection.lost", code }]);
  });

  test("the dictation connection reports the server's reason for closing", async () => {
    const { connect, line, emitted } = await setUp();
    connect();
    const server = await line();
    server.answer({ type: "error", code: "engineFailed", message: "no" });
    server.close(1011);
    await until(() => emitted.length === 1);
    expect(emitted).toEqual([{ type: "connection.lost", code: "engineFailed" }]);
  });

  test("the audio connection that ends is never opened without a token", async () => {
    const token = () => Promise.reject(Object.assign(new Error("signed out"), { status: 401 }));
    const { connect, emitted, lines } = await setUp({ token });
    connect();
    await until(() => emitted.length === 1);
    expect(emitted).toEqual([{ type: "connection.lost", code: "unauthorized" }]);
    expect(lines).toEqual([]);
  });

  test("the dictation connection reports no loss when the page closes it", async () => {
    const { connect, line, emitted } = await setUp();
    const connection = connect();
    const server = await line();
    connection.close();
    await until(() => server.closed);
    expect(emitted).toEqual([]);
  });

  test("the dictation connection ignores unknown messages", async () => {
    const { connect, line, captions, emitted } = await setUp();
    connect();
    const server = await line();
    server.answer({ type: "partial", text: "odd", start: Number.NaN });
    server.answer(ready(0));
    await until(() => emitted.length === 1);
    expect(captions.get().partial).toBeNull();
  });
});

describe("recording that the server no longer accepts", () => {
  test.each(["gone", "tooLarge"] as const)(
    "the dictation connection starts over with the unconfirmed frames (%s)",
    async (code) => {
      const { connect, line, speak, frames, captions, emitted } = await setUp();
      await speak(3);
      connect();
      const first = await line(0);
      first.answer(ready(0, ["one"]));
      await until(() => first.numbers.length === 3);
      first.answer({ type: "ack", ack: 2 });
      await until(() => frames.row.confirmed === 2);
      first.answer({ type: "error", code, message: "" });
      await until(() => emitted.length === 2);
      expect(emitted[1]).toEqual({ type: "connection.lost", code: null });
      expect(captions.get().lines).toEqual([]);
      await speak(1);
      frames.end();
      connect();
      const second = await line(1);
      expect(second.said[0]?.recordingId).not.toBe(first.said[0]?.recordingId);
      second.answer(ready(0));
      await until(() => second.said.length === 2);
      expect(second.numbers).toEqual([0, 1]);
      expect(second.bytes).toEqual([2, 3]);
      expect(second.said[1]).toEqual({ type: "end", frames: 2 });
      second.answer({ type: "ack", ack: 2 });
      await until(() => frames.row.confirmed === 4);
    },
  );

  test("the recording that the server no longer accepts is complete when the server has everything", async () => {
    const { connect, line, speak, frames, emitted } = await setUp();
    await speak(2);
    frames.end();
    frames.confirm(2);
    await frames.settled();
    connect();
    (await line()).answer({ type: "error", code: "gone", message: "" });
    await until(() => emitted.length === 1);
    expect(emitted).toEqual([{ type: "recording.over" }]);
  });

  test("starts over with the rest when the server has lost its part", async () => {
    const { connect, line, speak, frames, emitted } = await setUp();
    await speak(3);
    frames.confirm(2);
    connect();
    (await line()).answer(ready(0));
    await until(() => emitted.length === 1);
    expect(emitted).toEqual([{ type: "connection.lost", code: null }]);
    expect(frames.row.base).toBe(2);
  });

  test("leaves the end to the server when the server has more than the browser", async () => {
    const { connect, line, speak, frames } = await setUp();
    await speak(1);
    frames.end();
    await frames.settled();
    connect();
    const server = await line();
    server.answer(ready(3));
    await until(() => server.said.length === 2);
    expect(server.said[1]).toEqual({ type: "end", frames: 3 });
    expect(server.numbers).toEqual([]);
  });
});

describe("unresponsive server", () => {
  test("the unresponsive server is detected when it confirms nothing for 15 s", async () => {
    const { connect, line, speak, frames, time } = await setUp();
    const connection = connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => frames.row.reached);
    time.now += ackTimeoutMs + 1;
    expect(connection.isUnresponsive()).toBe(false);
    await speak(1);
    await until(() => server.numbers.length === 1);
    expect(connection.isUnresponsive()).toBe(true);
    server.answer({ type: "ack", ack: 1 });
    await until(() => frames.row.confirmed === 1);
    expect(connection.isUnresponsive()).toBe(false);
    time.now += 10 * ackTimeoutMs;
    expect(connection.isUnresponsive()).toBe(false);
  });

  test("the unresponsive server is detected when it does not become ready", async () => {
    const { connect, time } = await setUp();
    const connection = connect();
    expect(connection.isUnresponsive()).toBe(false);
    time.now += ackTimeoutMs + 1;
    expect(connection.isUnresponsive()).toBe(true);
  });
});

describe("free tier's limit during a connection", () => {
  test("reports to the machine that silence ended the recording", async () => {
    const { connect, line, speak, emitted } = await setUp();
    await speak(1);
    connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => server.numbers.length === 1);
    server.answer({ type: "limit", frames: null, silence: true });
    await until(() => emitted.length === 2);
    expect(emitted[1]).toEqual({ type: "limit.reached", silence: true });
  });

  test("reports the limit and sends everything captured until then", async () => {
    const { connect, line, speak, frames, emitted } = await setUp();
    await speak(3);
    connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => server.numbers.length === 3);
    server.answer({ type: "limit", frames: null });
    await until(() => emitted.length === 2);
    expect(emitted[1]).toEqual({ type: "limit.reached" });
    await speak(1);
    frames.end();
    await until(() => server.said.length === 2);
    expect(server.said[1]).toEqual({ type: "end", frames: 4 });
    expect(frames.row.cut).toBeUndefined();
  });

  test("the dictation connection ends a recording at the first refused frame", async () => {
    const { connect, line, speak, frames, captions, emitted } = await setUp();
    await speak(400);
    connect();
    const server = await line();
    server.answer(ready(0));
    await until(() => server.numbers.length === 400);
    await speak(200);
    server.answer({ type: "limit", frames: 150 });
    await until(() => server.said.length === 2);
    expect(server.said[1]).toEqual({ type: "end", frames: 150 });
    frames.end();
    await frames.settled();
    expect([frames.total, frames.written, frames.row.cut]).toEqual([150, 600, 150]);
    server.answer({ type: "ack", ack: 150 });
    server.answer({ type: "done", segments: [segment(0, "one")], durationSeconds: 12 });
    await until(() => emitted.at(-1)?.type === "recording.done");
    expect(frames.row.confirmed).toBe(150);
    expect(captions.get().lines).toHaveLength(1);
  });

  test("a recording at its limit can be finished, but not extended, over a new connection", async () => {
    const { connect, line, speak, frames } = await setUp();
    await speak(30);
    frames.cutAt(20);
    frames.end();
    connect();
    const server = await line();
    server.answer(ready(10));
    await until(() => server.said.length === 2);
    expect([server.numbers, server.said[1]]).toEqual([range(10, 20), { type: "end", frames: 20 }]);
  });

  test("a recording that the server refuses is kept until the server accepts it", async () => {
    const { connect, line, speak, frames, emitted } = await setUp();
    await speak(3);
    connect();
    const server = await line();
    server.answer({ type: "error", code: "limitReached", message: "…" });
    server.close(4400);
    await until(() => emitted.length === 1);
    expect([emitted[0], frames.row.overLimit]).toEqual([{ type: "connection.lost", code: "limitReached" }, true]);
    connect();
    const second = await line(1);
    second.answer(ready(0));
    await until(() => second.numbers.length === 3);
    expect(frames.row.overLimit).toBe(false);
  });
});
