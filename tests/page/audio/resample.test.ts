import { describe, expect, test } from "vitest";
import { createResampler } from "#src/audio/resample.ts";

const tone = (hertz: number, rate: number, seconds: number) =>
  Float32Array.from({ length: Math.round(rate * seconds) }, (_, i) => 0.5 * Math.sin((2 * Math.PI * hertz * i) / rate));

function run(samples: Float32Array, rate: number, pieces: readonly number[] = [samples.length]): Float32Array {
  const resampler = createResampler(rate, 16_000);
  const out: number[] = [];
  let [at, turn] = [0, 0];
  while (at < samples.length) {
    const length = pieces[turn++ % pieces.length] ?? 1;
    out.push(...resampler.push(samples.subarray(at, at + length)));
    at += length;
  }
  out.push(...resampler.flush());
  return Float32Array.from(out);
}

const loudest = (samples: Float32Array) => samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);

describe.each([48_000, 44_100, 96_000, 22_050, 8_000])("resampling from %i Hz to 16,000 Hz", (rate) => {
  test("resampling keeps the length to within one sample", () => {
    expect(Math.abs(run(tone(440, rate, 1), rate).length - 16_000)).toBeLessThanOrEqual(1);
  });

  test("resampling keeps a tone of speech and its place", () => {
    const got = run(tone(1000, rate, 1), rate).subarray(400, 15_600);
    const wanted = tone(1000, 16_000, 1).subarray(400, 15_600);
    const worst = got.reduce((most, sample, i) => Math.max(most, Math.abs(sample - (wanted[i] ?? 0))), 0);
    expect(worst).toBeLessThan(0.005);
  });

  test("resampling gives the same result however the stream is cut", () => {
    const samples = tone(700, rate, 0.2);
    expect(run(samples, rate, [128])).toEqual(run(samples, rate));
    expect(run(samples, rate, [1, 77, 500])).toEqual(run(samples, rate));
  });

  test("resampling keeps a constant signal constant", () => {
    const out = run(new Float32Array(rate).fill(0.25), rate).subarray(200, 15_800);
    expect(out.every((sample) => Math.abs(sample - 0.25) < 1e-4)).toBe(true);
  });
});

test.each([48_000, 44_100])("removes from %i Hz what 16,000 Hz can't represent, instead of folding it back", (rate) => {
  const out = run(tone(10_000, rate, 1), rate).subarray(400, 15_600);
  expect(loudest(out)).toBeLessThan(0.001);
});

test("resampling leaves audio of 16,000 Hz unchanged", () => {
  const samples = tone(300, 16_000, 0.1);
  expect(run(samples, 16_000)).toEqual(samples);
});
