import { describe, expect, it } from "vitest";
import { stereoOf } from "#src/audio/stereo.ts";

describe("stereo mix", () => {
  const channel = (value: number) => Float32Array.of(value);
  const alone = (count: number, at: number) => Array.from({ length: count }, (_, index) => channel(index === at ? 1 : 0));

  it("stereo audio doubles one channel and keeps two", () => {
    expect(stereoOf([channel(0.5)])).toEqual({ left: channel(0.5), right: channel(0.5) });
    expect(stereoOf([channel(0.5), channel(-0.5)])).toEqual({ left: channel(0.5), right: channel(-0.5) });
  });

  it.each([3, 4, 5, 6, 8])("stereo audio contains every voice of %i channels", (count) => {
    for (let at = 0; at < count; at += 1) {
      const { left, right } = stereoOf(alone(count, at));
      expect((left[0] ?? 0) + (right[0] ?? 0)).toBeGreaterThanOrEqual(0.5);
    }
  });

  it("puts the center of surround sound into both channels", () => {
    const { left, right } = stereoOf(alone(6, 2));
    expect(left).toEqual(right);
  });
});
