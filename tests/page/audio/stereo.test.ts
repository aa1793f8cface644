import { describe, expect, it } from "vitest";
import { stereoOf } from "#src/audio/stereo.ts";

describe("two channels", () => {
  const channel = (value: number) => Float32Array.of(value);
  const alone = (count: number, at: number) => Array.from({ length: count }, (_, index) => channel(index === at ? 1 : 0));

  it("are one channel twice, or two as they are", () => {
    expect(stereoOf([channel(0.5)])).toEqual({ left: channel(0.5), right: channel(0.5) });
    expect(stereoOf([channel(0.5), channel(-0.5)])).toEqual({ left: channel(0.5), right: channel(-0.5) });
  });

  it.each([3, 4, 5, 6, 8])("have every voice of %i channels", (count) => {
    for (let at = 0; at < count; at += 1) {
      const { left, right } = stereoOf(alone(count, at));
      expect((left[0] ?? 0) + (right[0] ?? 0)).toBeGreaterThanOrEqual(0.5);
    }
  });

  it("both have the centre of a surround sound", () => {
    const { left, right } = stereoOf(alone(6, 2));
    expect(left).toEqual(right);
  });
});
