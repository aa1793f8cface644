import { describe, expect, test } from "vitest";
import { createActor, type EventObject, SimulatedClock } from "xstate";
import { maxAttempts, type Outline, type WaveformEvent, waveformMachine } from "#machines/waveform/machine.ts";
import type { Stretch } from "#machines/waveform/rules.ts";
import {
  selectCanZoomIn,
  selectCanZoomOut,
  selectIsLoopBegun,
  selectIsLooping,
  selectIsSkipping,
  selectIsThere,
  selectLoop,
  selectOffset,
  selectShown,
} from "#machines/waveform/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

function setUp() {
  const load = answering<Outline | null>();
  const watchLoop = talking<WaveformEvent, EventObject, Stretch>();
  const watchSilences = talking<WaveformEvent>();
  const watchJumps = talking<WaveformEvent>();
  const machine = waveformMachine.provide({
    actors: {
      load: load.logic,
      watchLoop: watchLoop.logic,
      watchSilences: watchSilences.logic,
      watchJumps: watchJumps.logic,
    },
  });
  const clock = new SimulatedClock();
  const actor = stopsAfterTest(createActor(machine, { clock }));
  const seeks: number[] = [];
  actor.on("seek.requested", ({ seconds }) => seeks.push(seconds));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return { load, watchLoop, watchSilences, watchJumps, clock, seeks, get, send: actor.send.bind(actor) };
}

/** A recording of 64 seconds, 10 of which are silent. */
async function there(outline: Outline = { seconds: 64, silentSeconds: 10 }) {
  const all = setUp();
  await all.load.last().resolve(outline);
  return all;
}

describe("waveform of a recording", () => {
  test("the waveform of a recording is requested at growing intervals while it is being made, then given up", async () => {
    const { load, clock, get } = setUp();
    const waits: number[] = [];
    while (load.asked.length < maxAttempts) {
      const asked = load.asked.length;
      await load.last().resolve(null);
      let waited = 0;
      while (load.asked.length === asked) {
        clock.increment(500);
        waited += 500;
      }
      waits.push(waited);
    }
    expect([waits.slice(0, 3), waits.at(-1)]).toEqual([[1_000, 1_500, 2_500], 30_000]);
    await load.last().resolve(null);
    clock.increment(60_000);
    expect([load.asked.length, get(selectIsThere)]).toEqual([maxAttempts, false]);
  });

  test("the waveform of a recording is not drawn without peaks, and is requested again after a network failure", async () => {
    for (const code of ["notFound", "notOffered", "internal"]) {
      const { load, clock, get } = setUp();
      await load.last().reject(code);
      clock.increment(60_000);
      expect([load.asked.length, get(selectIsThere)]).toEqual([1, false]);
    }
    expect((await there({ seconds: 0, silentSeconds: 0 })).get(selectIsThere)).toBe(false);
    const { load, clock, get } = setUp();
    for (let attempt = 0; attempt < 2 * maxAttempts; attempt += 1) {
      await load.last().reject("network");
      clock.increment(10_000);
    }
    await load.last().resolve({ seconds: 5, silentSeconds: 0 });
    expect(get(selectIsThere)).toBe(true);
  });

  test("zooms in steps and follows playback until the view is moved", async () => {
    const { send, get, watchJumps } = await there();
    expect([get(selectShown), get(selectCanZoomOut), get(selectOffset)]).toEqual([64, false, null]);
    send({ type: "zoom.stepped", steps: 1 });
    expect([get(selectShown), get(selectCanZoomOut), get(selectOffset)]).toEqual([32, true, null]);
    send({ type: "zoom.stepped", steps: 1, anchor: { seconds: 40, fraction: 0.5 } });
    expect([get(selectShown), get(selectOffset)]).toEqual([16, 32]);
    send({ type: "view.moved", offset: 900 });
    expect([get(selectOffset), watchJumps.running()]).toEqual([48, 1]);
    watchJumps.say({ type: "position.jumped" });
    expect([get(selectOffset), watchJumps.running()]).toEqual([null, 0]);
    send({ type: "zoom.stepped", steps: 99 });
    expect([get(selectShown), get(selectCanZoomIn)]).toEqual([4, false]);
    send({ type: "zoom.stepped", steps: -99 });
    expect(get(selectShown)).toBe(64);
  });

  test("plays from a chosen place of the waveform", async () => {
    const { send, seeks } = await there();
    send({ type: "position.chosen", seconds: 12 });
    expect(seeks).toEqual([12]);
  });
});

describe("loop in the waveform", () => {
  test("repeats a stretch of the waveform until it is cleared", async () => {
    const { send, get, seeks, watchLoop } = await there();
    send({ type: "loop.ended", seconds: 9 });
    expect(get(selectLoop)).toBeNull();
    send({ type: "loop.begun", seconds: 5 });
    expect([get(selectIsLoopBegun), get(selectLoop), get(selectIsLooping)]).toEqual([true, { start: 5, end: 5 }, false]);
    send({ type: "loop.ended", seconds: 5.1 });
    expect(get(selectIsLooping)).toBe(false);
    send({ type: "loop.ended", seconds: 9 });
    expect([get(selectIsLooping), watchLoop.input(), seeks]).toEqual([true, { start: 5, end: 9 }, [5]]);
    watchLoop.say({ type: "loop.passed" });
    expect(seeks).toEqual([5, 5]);
    send({ type: "loop.cleared" });
    expect([get(selectLoop), watchLoop.running()]).toEqual([null, 0]);
  });

  test("a loop covers the stretch between its ends, which can be moved", async () => {
    const { send, get, watchLoop } = await there();
    send({ type: "loop.begun", seconds: 9 });
    send({ type: "loop.ended", seconds: 5 });
    expect(get(selectLoop)).toEqual({ start: 5, end: 9 });
    send({ type: "loop.ended", seconds: 11 });
    send({ type: "loop.begun", seconds: 6 });
    expect([get(selectLoop), watchLoop.input(), watchLoop.running()]).toEqual([{ start: 6, end: 11 }, { start: 6, end: 11 }, 1]);
    send({ type: "loop.ended", seconds: 3 });
    expect(get(selectLoop)).toEqual({ start: 6, end: 11 });
    send({ type: "loop.begun", seconds: 20 });
    expect([get(selectIsLoopBegun), get(selectIsLooping), watchLoop.running()]).toEqual([true, false, 0]);
  });

  test("the loop in the waveform is drawn in either direction, and ignored if too short", async () => {
    const { send, get, seeks } = await there();
    send({ type: "loop.drawn", from: 8, to: 8 });
    send({ type: "loop.drawn", from: 8, to: 3 });
    expect([get(selectLoop), get(selectIsLooping), seeks]).toEqual([{ start: 3, end: 8 }, false, []]);
    send({ type: "loop.dropped" });
    expect([get(selectIsLooping), seeks]).toEqual([true, [3]]);
    send({ type: "loop.drawn", from: 8, to: 8.1 });
    send({ type: "loop.dropped" });
    expect([get(selectLoop), get(selectIsLooping)]).toEqual([null, false]);
  });
});

describe("silences in the waveform", () => {
  test("silences in the waveform are skipped only while that is on", async () => {
    const { send, get, seeks, watchSilences } = await there();
    expect(watchSilences.running()).toBe(0);
    send({ type: "skipping.toggled" });
    watchSilences.say({ type: "silence.reached", from: 3, end: 6 });
    expect([get(selectIsSkipping), seeks]).toEqual([true, [6]]);
    send({ type: "skipping.toggled" });
    expect([get(selectIsSkipping), watchSilences.running()]).toEqual([false, 0]);
  });

  test("the silences in the waveform can't be skipped if there are none", async () => {
    const { send, get } = await there({ seconds: 64, silentSeconds: 0 });
    send({ type: "skipping.toggled" });
    expect(get(selectIsSkipping)).toBe(false);
  });

  test("silences in the waveform are not skipped inside a loop", async () => {
    const { send, seeks, watchSilences } = await there();
    send({ type: "skipping.toggled" });
    send({ type: "loop.drawn", from: 4, to: 10 });
    send({ type: "loop.dropped" });
    seeks.length = 0;
    watchSilences.say({ type: "silence.reached", from: 9, end: 12 });
    expect(seeks).toEqual([]);
    watchSilences.say({ type: "silence.reached", from: 5, end: 7 });
    watchSilences.say({ type: "silence.reached", from: 20, end: 22 });
    expect(seeks).toEqual([7, 22]);
  });
});
