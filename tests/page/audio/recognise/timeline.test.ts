import { describe, expect, it } from "vitest";
import { createTimeline } from "#src/audio/recognise/timeline.ts";

const rate = 1_000;
const ones = (seconds: number, sourceRate = rate) => {
  const left = new Float32Array(seconds * sourceRate).fill(0.5);
  return { rate: sourceRate, left, right: left };
};

/**
 * The output for half-second pieces at these times: "1" for sound, "." for silence, one character for each tenth of a
 * second.
 */
function drawn(startTimes: readonly number[], rates: readonly number[] = []): string {
  const timeline = createTimeline(rate);
  const out = startTimes.flatMap((start, at) => [...timeline.push(start, ones(0.5, rates[at]))].flatMap((piece) => [...piece]));
  out.push(...timeline.flush());
  const tenths = Array.from({ length: Math.round(out.length / 100) }, (_, at) => out[at * 100 + 50] ?? 0);
  return tenths.map((sample) => (sample > 0.25 ? "1" : ".")).join("");
}

describe("timeline of decoded audio", () => {
  it.each([
    ["goes on without a seam", [0, 0.5, 1], "111111111111111"],
    ["begins late", [0.3], "...11111"],
    ["begins before 0", [-0.3, 0.2], "1111111"],
    ["lies before 0", [-1, -0.5, 0], "11111"],
    ["has a hole", [0, 0.9], "11111....11111"],
    ["overlaps", [0, 0.3], "11111111"],
    ["jitters", [0, 0.55, 0.98], "111111111111111"],
    ["jumps back to the beginning", [20, 0], `${".".repeat(200)}1111111111`],
    ["jumps ahead by years, and back", [0, 1e9, 0.5, 1], "11111111111111111111"],
  ])("places sound that %s", (_, startTimes, wanted) => {
    expect(drawn(startTimes)).toBe(wanted);
  });

  it("keeps all samples when each timestamp loses a little", () => {
    const timeline = createTimeline(rate);
    const lengths = Array.from({ length: 100 }, (_, at) => at * 0.51).flatMap((start) =>
      [...timeline.push(start, ones(0.5))].map(({ length }) => length),
    );
    expect(lengths.reduce((sum, length) => sum + length)).toBeGreaterThan(50_800);
  });

  it("the audio timeline continues when the sample rate changes", () => {
    expect(drawn([0, 0.5, 1.2], [1_000, 2_000, 500])).toBe("1111111111..11111");
  });

  it("the audio timeline fills hours of silence in small pieces", () => {
    const timeline = createTimeline(rate);
    const lengths = [...timeline.push(7_200, ones(0.5))].map(({ length }) => length);
    expect(lengths.reduce((sum, length) => sum + length)).toBe(7_200.5 * rate);
    expect(Math.max(...lengths)).toBe(rate);
  });

  it("takes the stronger channel when two cancel each other out", () => {
    const { left } = ones(2);
    const [mono] = [...createTimeline(rate).push(0, { rate, left, right: left.map((sample) => -sample) })].slice(-1);
    expect(mono?.at(-1)).toBeCloseTo(0.5);
  });
});
