import { describe, expect, it } from "vitest";
import { type Piece, PieceCutter } from "#speech/cut.ts";
import { levelsOf } from "#speech/vad.ts";
import { chunked, fixturePcm, mixed, noise, silence, voice } from "./sound.ts";

function pieces(pcm: Buffer, sizes: readonly number[] = [16_000]): Piece[] {
  const cutter = new PieceCutter();
  return [...chunked(pcm, sizes).flatMap((chunk) => cutter.push(chunk)), ...cutter.finish()];
}

const talk = fixturePcm("talk.wav");
const longTalk = Buffer.concat([talk, talk, talk, talk]);
/** Sentences of 3.6 s, each with a pause of 0.4 s. */
const sentences = (count: number) => Buffer.concat(Array.from({ length: count }, () => [voice(3.6, -20), silence(0.4)]).flat());

describe("PieceCutter", () => {
  it("cuts pieces without gap or overlap that cover every sample", () => {
    const odd = longTalk.subarray(0, longTalk.length - 2 * 123);
    const cut = pieces(odd, [3333]);
    expect(cut.length).toBeGreaterThan(3);
    expect(cut.map((piece) => piece.index)).toEqual(cut.map((_, at) => at));
    expect(cut.map((piece) => piece.startSample)).toEqual([0, ...cut.slice(0, -1).map((piece) => piece.endSample)]);
    expect(cut.at(-1)?.endSample).toBe(odd.length / 2);
  });

  it("cuts the same pieces whatever the chunk sizes, even from unaligned memory", () => {
    const whole = pieces(longTalk, [longTalk.length]);
    expect(pieces(longTalk, [1, 319, 320, 321, 7])).toEqual(whole);
    expect(pieces(longTalk, [65_536])).toEqual(whole);
    const shifted = Buffer.concat([Buffer.alloc(1), longTalk]).subarray(1);
    expect(pieces(shifted, [4096])).toEqual(whole);
  });

  it("cuts pieces of 20 to 30 s at quiet moments", () => {
    const cut = pieces(longTalk);
    const levels = levelsOf(longTalk);
    for (const { startSample, endSample } of cut.slice(0, -1)) {
      expect((endSample - startSample) / 16_000).toBeGreaterThanOrEqual(20);
      expect((endSample - startSample) / 16_000).toBeLessThanOrEqual(30);
      // 80 ms on both sides of the cut.
      const around = levels.slice(endSample / 320 - 4, endSample / 320 + 4);
      expect(Math.max(...around)).toBeLessThan(-50);
    }
  });

  it("cuts in the middle of the longest pause", () => {
    const pcm = Buffer.concat([sentences(5), voice(2, -20), silence(0.8), sentences(4)]);
    // 5 × 4 s, 2 s, and half of 0.8 s.
    expect((pieces(pcm)[0]?.endSample ?? 0) / 16_000).toBeCloseTo(22.4, 1);
  });

  it("cuts at pauses in a noisy room", () => {
    const pcm = mixed(Buffer.concat([voice(22, -18), silence(0.5), voice(20, -18)]), noise(42.5, -40));
    expect((pieces(pcm)[0]?.endSample ?? 0) / 16_000).toBeCloseTo(22.25, 1);
  });

  it("waits past 30 s for a pause, but at most 60 s", () => {
    const late = Buffer.concat([voice(40, -20), silence(0.4), voice(10, -20)]);
    expect((pieces(late)[0]?.endSample ?? 0) / 16_000).toBeCloseTo(40.2, 0);
    const never = pieces(voice(130, -20));
    for (const piece of never) expect(piece.endSample - piece.startSample).toBeLessThanOrEqual(60 * 16_000);
    expect(never.at(-1)?.endSample).toBe(130 * 16_000);
  });

  it("marks which pieces contain speech", () => {
    const cut = pieces(Buffer.concat([sentences(6), silence(90), sentences(2)]));
    expect(cut[0]?.speech).toBe(true);
    expect(cut.at(-1)?.speech).toBe(true);
    expect(cut.filter((piece) => !piece.speech).length).toBeGreaterThanOrEqual(2);
    expect(pieces(noise(70, -30)).some((piece) => piece.speech)).toBe(false);
  });

  it("detects one short word in a long silence, even at the very end", () => {
    expect(pieces(Buffer.concat([silence(10), voice(0.4, -30), silence(10)]))[0]?.speech).toBe(true);
    expect(pieces(Buffer.concat([silence(70), voice(0.4, -30)])).at(-1)?.speech).toBe(true);
  });

  it("cuts no pieces from empty input", () => {
    expect(pieces(Buffer.alloc(0))).toEqual([]);
    expect(pieces(silence(0.001))).toEqual([{ index: 0, startSample: 0, endSample: 16, speech: false }]);
  });
});
