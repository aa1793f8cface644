import { describe, expect, test } from "vitest";
import { writePeaks } from "#contract/index.ts";
import { createPlainSend } from "#src/api/http.ts";
import { createWaveformApi } from "#src/api/waveform.ts";
import { createStore } from "#src/browser/store.ts";
import { barsOf, loudestOf } from "#src/features/waveform/bars.ts";
import { watchEnd, watchJumps, watchSilences } from "#src/features/waveform/sound.ts";

/** A recording that plays when the test says so. */
function playing() {
  const position = createStore(0);
  const seeks: number[] = [];
  let is = true;
  const sound = { position, isPlaying: () => is, segments: createStore([]), seek: (seconds: number) => seeks.push(seconds) };
  return {
    sound,
    /** Plays on in steps of a fifth of a second. */
    playTo: (seconds: number) => {
      is = true;
      while (position.get() < seconds) position.set(Math.min(seconds, position.get() + 0.2));
    },
    /** Jumps to a position, playing or not. */
    move: (seconds: number, plays = true) => {
      is = plays;
      position.set(seconds);
    },
  };
}

describe("playback in the waveform", () => {
  test("reports a loop's end only when reached by playing", () => {
    const { sound, playTo, move } = playing();
    let passed = 0;
    const end = watchEnd(sound, 5, () => {
      passed += 1;
    });
    playTo(4.9);
    expect(passed).toBe(0);
    playTo(5.5);
    expect(passed).toBe(1);
    move(20);
    playTo(21);
    move(3);
    move(9);
    move(4.9, false);
    move(5.1, false);
    expect(passed).toBe(1);
    move(4);
    playTo(6);
    expect(passed).toBe(2);
    end();
    move(4);
    playTo(6);
    expect(passed).toBe(2);
  });

  test("the player reports each silence once", () => {
    const { sound, playTo, move } = playing();
    const reached: [number, number][] = [];
    move(2.5);
    const silences = [
      { start: 2, end: 4 },
      { start: 8, end: 9 },
    ];
    const end = watchSilences(sound, silences, (from, to) => reached.push([Math.round(from * 10) / 10, to]));
    expect(reached).toEqual([[2.5, 4]]);
    playTo(3.5);
    expect(reached.length).toBe(1);
    move(4);
    playTo(8.3);
    expect(reached.at(-1)).toEqual([8, 9]);
    move(3, false);
    expect(reached.length).toBe(2);
    move(3.01);
    expect(reached.at(-1)).toEqual([3, 4]);
    move(3.97);
    move(1);
    playTo(2.2);
    expect(reached.length).toBe(4);
    end();
    move(8.5);
    expect(reached.length).toBe(4);
  });

  test("the player reports a jump only after a seek", () => {
    const { sound, playTo, move } = playing();
    let jumped = 0;
    watchJumps(sound, () => {
      jumped += 1;
    });
    playTo(10);
    expect(jumped).toBe(0);
    move(13);
    move(12.9);
    expect(jumped).toBe(2);
  });
});

describe("bars of the waveform", () => {
  const levels = Int8Array.of(-10, 20, -40, 5, 0, 0, -2, 80);
  const peaks = { pairMs: 500, levels, audioBytes: 1 };

  test("bars of the waveform show lowest and highest levels of their part, relative to the loudest", () => {
    expect(loudestOf(peaks)).toBe(80);
    const { below, above } = barsOf(peaks, { offset: 0, shown: 2, loudest: 80, count: 2 });
    expect([[...below], [...above]]).toEqual([
      [0.5, 0.02500000037252903],
      [0.25, 1],
    ]);
  });

  test("bars of the waveform repeat a pair when zoomed in, and end with the recording", () => {
    const { above } = barsOf(peaks, { offset: 1.5, shown: 1, loudest: 80, count: 4 });
    expect([...above]).toEqual([1, 1, 0, 0]);
  });

  test("bars of the waveform are flat for silence", () => {
    const silent = { ...peaks, levels: new Int8Array(8) };
    expect([...barsOf(silent, { offset: 0, shown: 2, loudest: loudestOf(silent), count: 2 }).above]).toEqual([0, 0]);
  });
});

describe("call for the peaks", () => {
  const apiOf = (answer: () => Response) => createWaveformApi(createPlainSend("", async () => answer()));

  test("returns peaks, null while they are made, or an error", async () => {
    const peaks = { pairMs: 40, levels: Int8Array.of(-1, 1), audioBytes: 5 };
    expect(await apiOf(() => new Response(writePeaks(peaks))).peaks("a/b")).toEqual(peaks);
    expect(await apiOf(() => new Response(null, { status: 202 })).peaks("t")).toBeNull();
    await expect(apiOf(() => new Response("<html>")).peaks("t")).rejects.toMatchObject({ code: "internal" });
    const cut = new ReadableStream({ start: (controller) => controller.error(new TypeError("cut")) });
    await expect(apiOf(() => new Response(cut)).peaks("t")).rejects.toMatchObject({ code: "network" });
  });
});
