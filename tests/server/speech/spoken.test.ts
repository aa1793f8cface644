import { describe, expect, it } from "vitest";
import { SpokenMeter, spokenSeconds } from "#server/speech/index.ts";
import { spokenWav } from "#tests/server/jobs/scripted.ts";
import { clicks, fixturePcm, mixed, noise, silence } from "./sound.ts";

const rate = 16_000;

/** @param chunk in samples @returns spoken seconds */
function spoken(pcm: Buffer, chunk = rate): number {
  const meter = new SpokenMeter();
  for (let from = 0; from < pcm.length; from += chunk * 2) meter.push(pcm.subarray(from, from + chunk * 2));
  return meter.samples / rate;
}

const voice = (seconds: number) => spokenWav(seconds).subarray(44);

describe("SpokenMeter", () => {
  it("counts a recording completely when somebody speaks throughout, whatever the chunks", () => {
    expect(spoken(voice(12))).toBe(12);
    expect(spoken(voice(12), 777)).toBe(12);
    expect(spoken(voice(12).subarray(0, 2 * (11 * rate + 100)))).toBe(11 + 100 / rate);
  });

  it("leaves out silence of more than a second and counts shorter pauses", () => {
    expect(spoken(Buffer.concat([silence(30), voice(2), silence(60), voice(2), silence(300)]))).toBe(4);
    expect(spoken(Buffer.concat([voice(2), silence(0.9), voice(2)]))).toBeCloseTo(4.9, 6);
    expect(spoken(silence(60))).toBe(0);
  });

  it("counts real sentences in a quiet room but neither noise nor clicks", () => {
    const sentence = fixturePcm("market.wav");
    const length = sentence.length / 2 / rate;
    const whole = Buffer.concat([silence(20), sentence, silence(40), sentence, silence(20)]);
    for (const pcm of [whole, mixed(whole, noise(whole.length / 2 / rate, -60))]) {
      expect(spoken(pcm)).toBeGreaterThan(2 * length - 1);
      expect(spoken(pcm)).toBeLessThanOrEqual(2 * length);
    }
    expect(spoken(noise(60, -60))).toBe(0);
    expect(spoken(clicks(60, 2))).toBe(0);
  });
});

describe("spokenSeconds", () => {
  const word = (start: number, end: number) => ({ text: "word", start, end });

  it("counts overlapping words once, with pauses of up to a second", () => {
    expect(spokenSeconds([])).toBe(0);
    expect(spokenSeconds([{ start: 1, end: 3, words: [] }])).toBe(2);
    const heard = [
      { start: 5, end: 6, words: [word(5, 6)] },
      { start: 0, end: 4.5, words: [word(0, 1), word(1.5, 2), word(4, 4.5)] },
      { start: 5.5, end: 5.8, words: [word(5.5, 5.8)] },
    ];
    expect(spokenSeconds(heard)).toBe(2 + 2);
  });
});
