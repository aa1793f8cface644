import { describe, expect, test } from "vitest";
import {
  clampOffset,
  lengthOf,
  lengthOfAll,
  levelAt,
  loopBetween,
  maxZoom,
  offsetAround,
  offsetFollowing,
  shownSeconds,
  silencesIn,
  withoutSpoken,
} from "#machines/waveform/rules.ts";
import { cpuMsOf } from "#tests/fixtures/cpu-time.ts";

/** Stretches of so many seconds at a level, as peaks of 40 ms. */
function peaksOf(...parts: [seconds: number, level: number][]) {
  const levels = parts.flatMap(([seconds, level]) =>
    Array.from({ length: Math.round(seconds * 25) }, () => [-level, level >> 1]).flat(),
  );
  return { pairMs: 40, audioBytes: 1, levels: Int8Array.from(levels) };
}
const rounded = (peaks: ReturnType<typeof peaksOf>) =>
  silencesIn(peaks).map(({ start, end }) => [start, end].map((seconds) => Math.round(seconds * 100) / 100));

describe("silences of a recording", () => {
  test("silences of a recording last a second or more, with a margin before and after", () => {
    const peaks = peaksOf([2, 90], [0.88, 2], [3, 80], [4, 2], [1, 90], [1, 2]);
    expect(lengthOf(peaks)).toBeCloseTo(11.88);
    expect(rounded(peaks)).toEqual([
      [6.08, 9.68],
      [11.08, 11.68],
    ]);
  });

  test("silences of a recording are quiet compared with the recording's speech, and never soft speech", () => {
    // 30 dB below the loudest is soft speech; 40 dB below is none.
    expect(rounded(peaksOf([10, 100], [3, 18], [5, 100], [3, 10], [5, 100]))).toEqual([[18.2, 20.8]]);
    // The same audio, but much softer.
    expect(rounded(peaksOf([10, 50], [3, 9], [5, 50], [3, 5], [5, 50]))).toEqual([[18.2, 20.8]]);
  });

  test("silences of a recording lie above a room's noise, but never contain soft speech", () => {
    expect(rounded(peaksOf([10, 100], [3, 20], [5, 100], [3, 21], [5, 100]))).toEqual([
      [10.2, 12.8],
      [18.2, 20.8],
    ]);
    expect(rounded(peaksOf([10, 100], [3, 40], [5, 100]))).toEqual([]);
  });

  test("silences of a recording do not exist in a uniform or empty recording", () => {
    for (const peaks of [peaksOf([9, 0]), peaksOf([9, 30]), peaksOf()]) expect(silencesIn(peaks)).toEqual([]);
  });

  test("silences of a recording exclude the recognized words", () => {
    const silences = [
      { start: 1, end: 4 },
      { start: 6, end: 9 },
      { start: 11, end: 12 },
    ];
    const spoken = [
      { start: 0, end: 1.2 },
      { start: 2, end: 2.5 },
      { start: 2.9, end: 3.2 },
      { start: 8.5, end: 11.5 },
    ];
    expect(withoutSpoken(silences, spoken)).toEqual([
      { start: 1.2, end: 2 },
      { start: 3.2, end: 4 },
      { start: 6, end: 8.5 },
    ]);
    expect(withoutSpoken(silences, [])).toEqual(silences);
  });

  test("silences of a recording are found in a day of sound within milliseconds", () => {
    const day = {
      pairMs: 160,
      audioBytes: 1,
      levels: new Int8Array(1_080_000).map((_, at) => (Math.floor(at / 400) % 2 ? 80 : 0)),
    };
    const spoken = Array.from({ length: 100_000 }, (_, at) => ({ start: at * 0.864, end: at * 0.864 + 0.3 }));
    expect(cpuMsOf(() => expect(silencesIn(day)).toHaveLength(1_350))).toBeLessThan(2_000);
    expect(cpuMsOf(() => withoutSpoken(silencesIn(day), spoken))).toBeLessThan(2_000);
  });
});

describe("view of the waveform", () => {
  test("the view of the waveform is halved until four seconds fill it", () => {
    expect([maxZoom(3), maxZoom(8), maxZoom(3 * 3600)]).toEqual([0, 1, 11]);
    expect([shownSeconds(100, 0), shownSeconds(100, 2)]).toEqual([100, 25]);
  });

  test("the view of the waveform moves on when playback leaves it, and ends with the recording", () => {
    expect(offsetFollowing(0, 5, 10, 100)).toBe(0);
    expect(offsetFollowing(0, 9.9, 10, 100)).toBeCloseTo(8.9);
    expect(offsetFollowing(50, 20, 10, 100)).toBe(19);
    expect(offsetFollowing(0, 99.9, 10, 100)).toBe(90);
    expect(offsetFollowing(40, 45, 100, 100)).toBe(0);
  });

  test("the waveform zooms around the place under the pointer", () => {
    expect(offsetAround({ seconds: 50, fraction: 0.25 }, 20, 100)).toBe(45);
    expect(offsetAround({ seconds: 1, fraction: 0.5 }, 20, 100)).toBe(0);
    expect(offsetAround({ seconds: 99, fraction: 0.5 }, 20, 100)).toBe(80);
  });
});

test("makes a loop between two places in any order, unless it is too short", () => {
  expect(loopBetween(5, 2)).toEqual({ start: 2, end: 5 });
  expect(loopBetween(2, 2.2)).toBeNull();
});

test("takes the loudest level of a pair, and adds lengths", () => {
  const levels = Int8Array.from([-3, 5, -9, 2]);
  expect([levelAt({ levels }, 0), levelAt({ levels }, 1), levelAt({ levels }, 2)]).toEqual([5, 9, 0]);
  expect([
    lengthOfAll([
      { start: 1, end: 3 },
      { start: 5, end: 5.5 },
    ]),
    lengthOfAll([]),
  ]).toEqual([2.5, 0]);
});

test("the visible part of the waveform stays inside the recording", () => {
  expect([clampOffset(-1, 4, 10), clampOffset(5, 4, 10), clampOffset(7, 4, 10), clampOffset(3, 12, 10)]).toEqual([0, 5, 6, 0]);
});

test("counts a pause of exactly a second as silence", () => {
  expect(rounded(peaksOf([2, 90], [1, 2], [3, 80]))).toEqual([[2.2, 2.8]]);
});

test("accepts a loop of 0.3 s, but no shorter one", () => {
  expect([loopBetween(0, 0.3), loopBetween(0.3, 0), loopBetween(0, 0.29)]).toEqual([
    { start: 0, end: 0.3 },
    { start: 0, end: 0.3 },
    null,
  ]);
});

test("the visible part of the waveform can be halved down to four seconds", () => {
  expect([maxZoom(3), maxZoom(4), maxZoom(8), maxZoom(15.9), maxZoom(16)]).toEqual([0, 0, 1, 1, 2]);
  expect([shownSeconds(16, 0), shownSeconds(16, 2)]).toEqual([16, 4]);
});
