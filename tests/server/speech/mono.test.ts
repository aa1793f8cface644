import { describe, expect, it } from "vitest";
import { createMonoMixer } from "#speech/mono.ts";

const rate = 16_000;
const second = 1;
const tone = (hertz: number, gain: number, from = 0): Float32Array =>
  Float32Array.from({ length: rate * second }, (_, at) => gain * Math.sin((2 * Math.PI * hertz * (at + from * rate)) / rate));
const silence = new Float32Array(rate * second);
const inverted = (samples: Float32Array) => samples.map((sample) => -sample);
const times = (samples: Float32Array, factor: number) => samples.map((sample) => sample * factor);

function loudness(samples: Float32Array): number {
  return Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
}

describe("createMonoMixer", () => {
  it("mixes both channels to their mean, sample by sample", () => {
    const [left, right] = [tone(220, 0.5), tone(330, 0.3)];
    const mean = left.map((sample, at) => (sample + (right[at] ?? 0)) / 2);
    expect(createMonoMixer(rate)(left, right)).toEqual(mean);
  });

  it("keeps each channel's voice when only one person speaks at a time", () => {
    const mix = createMonoMixer(rate);
    const voice = tone(220, 0.5);
    expect(mix(voice, silence)).toEqual(times(voice, 0.5));
    expect(loudness(mix(silence, voice))).toBeCloseTo(loudness(voice) / 2);
  });

  it("takes one channel where the other is its inverse", () => {
    const mix = createMonoMixer(rate);
    const voice = tone(220, 0.5);
    mix(voice, inverted(voice));
    expect(mix(tone(220, 0.5, second), inverted(tone(220, 0.5, second)))).toEqual(tone(220, 0.5, second));
  });

  it("returns to the mean when the channels no longer cancel each other out", () => {
    const mix = createMonoMixer(rate);
    const voice = tone(220, 0.5);
    mix(times(voice, -0.9), voice);
    mix(times(voice, -0.2), voice);
    expect(loudness(mix(times(voice, -0.2), voice))).toBeCloseTo(loudness(voice) * 0.4);
  });

  it("mixes the same result whatever the chunk lengths", () => {
    const [left, right] = [tone(220, 0.5), inverted(tone(220, 0.5))];
    const whole = createMonoMixer(rate)(left, right);
    const mix = createMonoMixer(rate);
    const parts = [0, 1, 700, 9_000].map((from, index, all) => {
      const to = all[index + 1] ?? left.length;
      return mix(left.subarray(from, to), right.subarray(from, to));
    });
    expect(Float32Array.from(parts.flatMap((part) => [...part]))).toEqual(whole);
  });
});
