import { describe, expect, test } from "vitest";
import { createFramer, createFrames, loudness } from "#src/audio/framer.ts";

const read = (frame: Uint8Array<ArrayBuffer> | undefined) => {
  if (frame === undefined) return undefined;
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  return Array.from({ length: frame.byteLength / 2 }, (_, i) => view.getInt16(i * 2, true));
};

describe("audio frames", () => {
  test("audio frames contain 1,280 samples however the samples arrive", () => {
    const framer = createFramer();
    const frames = [];
    for (let i = 0; i < 4; i++) frames.push(...framer.push(new Float32Array(1000)));
    expect(frames.map((frame) => frame.length)).toEqual([2560, 2560, 2560]);
    expect(framer.flush()?.length).toBe(2 * (4_000 - 3 * 1280));
    expect(framer.flush()).toBeUndefined();
  });

  test("one chunk of audio can complete several frames", () => {
    expect(
      createFramer(2)
        .push(Float32Array.of(0, 0.5, -0.5, 1, -1))
        .map(read),
    ).toEqual([
      [0, 16_384],
      [-16_383, 32_767],
    ]);
  });

  test("audio frames contain signed 16-bit little-endian samples, clipped if too loud", () => {
    const framer = createFramer(4);
    expect(read(framer.push(Float32Array.of(1.5, -3, Number.NaN, 0.25))[0])).toEqual([32_767, -32_767, 0, 8_192]);
    expect([...(createFramer(1).push(Float32Array.of(1))[0] ?? [])]).toEqual([0xff, 0x7f]);
  });

  test("audio frames are not changed by later samples", () => {
    const framer = createFramer(2);
    const [first] = framer.push(Float32Array.of(0.5, 0.5));
    framer.push(Float32Array.of(0, 0));
    expect(read(first)).toEqual([16_384, 16_384]);
  });

  test("audio frames have the same length at another sample rate, with the rest at the end", () => {
    const frames = createFrames(48_000);
    const pushed = Array.from({ length: 47 }, () => frames.push(new Float32Array(1024).fill(0.5))).flat();
    expect(new Set(pushed.map(({ length }) => length))).toEqual(new Set([2560]));
    const all = [...pushed, ...frames.flush()];
    // 47 × 1024 / 48,000 s
    expect(all.reduce((sum, { length }) => sum + length / 2, 0)).toBeCloseTo((47 * 1024) / 3, -1);
    expect(read(all[5])?.[100]).toBeCloseTo(16_384, -2);
  });
});

test("the loudness of a frame goes from 0 for silence to 1", () => {
  expect(loudness(new Float32Array(0))).toBe(0);
  expect(loudness(new Float32Array(100))).toBe(0);
  expect(loudness(new Float32Array(100).fill(1))).toBe(1);
  const speech = loudness(new Float32Array(100).fill(0.1));
  expect(speech).toBeGreaterThan(0.5);
  expect(speech).toBeLessThan(1);
  expect(loudness(new Float32Array(100).fill(0.0001))).toBe(0);
});
