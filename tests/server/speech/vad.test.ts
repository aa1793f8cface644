import { describe, expect, it } from "vitest";
import { levelsOf, noiseLevel, silentLevel, VoiceDetector, voicedStretch } from "#speech/vad.ts";
import { clicks, fixturePcm, mixed, noise, silence, sound, voice } from "./sound.ts";

const framesPerSecond = 50;

/** The seconds at which a live voice begins and ends. */
function heard(pcm: Buffer): [number, number][] {
  const detector = new VoiceDetector();
  const stretches: [number, number][] = [];
  let before = false;
  for (const [at, level] of levelsOf(pcm).entries()) {
    const now = detector.push(level);
    if (now && !before) stretches.push([at / framesPerSecond, Number.POSITIVE_INFINITY]);
    const last = stretches.at(-1);
    if (!now && before && last !== undefined) last[1] = at / framesPerSecond;
    before = now;
  }
  return stretches;
}

/** Loud noise at the very beginning may be speech: it counts as a voice until it proves steady. */
const isSettled = ([, end]: [number, number]) => end > 2.1;

describe("levelsOf", () => {
  it("measures dBFS without the offset that cheap microphones add", () => {
    const tone = sound(1, (time) => Math.sin(2 * Math.PI * 400 * time) * 0.1 * Math.SQRT2);
    expect(levelsOf(tone)[10]).toBeCloseTo(-20, 1);
    expect(
      levelsOf(
        mixed(
          tone,
          sound(1, () => 0.3),
        ),
      )[10],
    ).toBeCloseTo(-20, 1);
    expect(levelsOf(silence(0.1))).toEqual([silentLevel, silentLevel, silentLevel, silentLevel, silentLevel]);
  });
});

describe("VoiceDetector", () => {
  it.each([
    ["silence", silence(5)],
    ["the hiss of a microphone", noise(5, -65)],
    ["loud noise, once it has proved steady", noise(12, -30)],
    ["clicks", mixed(noise(5, -60), clicks(5, 3))],
  ])("detects no voice in %s", (_, pcm) => {
    expect(heard(pcm).filter(isSettled)).toEqual([]);
  });

  it.each([
    ["loud", -12, -60],
    ["quiet", -45, -65],
    ["in a noisy room", -20, -35],
  ])("detects a voice when it is %s", (_, level, room) => {
    const pcm = mixed(noise(7, room), Buffer.concat([silence(3), voice(2, level), silence(2)]));
    const [first, ...others] = heard(pcm).filter(isSettled);
    expect(others).toEqual([]);
    expect(first?.[0]).toBeGreaterThanOrEqual(3);
    expect(first?.[0]).toBeLessThan(3.25);
    // Includes the hang-over of 0.3 s.
    expect(first?.[1]).toBeGreaterThan(4.9);
    expect(first?.[1]).toBeLessThan(5.6);
  });

  it("detects a voice from the first sample", () => {
    expect(heard(Buffer.concat([voice(2, -20), silence(1)]))[0]?.[0]).toBeLessThan(0.2);
  });

  it("bridges short gaps inside words and ends a voice at a pause", () => {
    const pcm = Buffer.concat([silence(1), voice(1, -20), silence(0.2), voice(1, -20), silence(1), voice(1, -20), silence(1)]);
    expect(heard(pcm)).toHaveLength(2);
  });

  it("still detects a voice after the room has become louder", () => {
    const pcm = Buffer.concat([noise(3, -60), noise(5, -38), mixed(noise(2, -38), voice(2, -18)), noise(2, -38)]);
    const [start, end] = heard(pcm).at(-1) ?? [0, 0];
    expect(start).toBeCloseTo(8, 0);
    expect(end).toBeLessThan(11);
  });

  it("detects the voice in real speech", () => {
    const stretches = heard(fixturePcm("talk.wav"));
    // Pauses of 0.8 s and more separate the stretches.
    expect(stretches.length).toBeGreaterThanOrEqual(5);
    expect(stretches.reduce((sum, [start, end]) => sum + Math.min(end, 27.1) - start, 0)).toBeGreaterThan(18);
  });
});

describe("voicedStretch", () => {
  const stretchIn = (pcm: Buffer) => {
    const levels = levelsOf(pcm);
    return voicedStretch(levels, noiseLevel(levels));
  };

  it.each([
    ["silence", silence(3)],
    ["loud noise", noise(3, -10)],
    ["a tone", fixturePcm("tone.wav")],
    ["pink noise", fixturePcm("noise.wav")],
    ["clicks", mixed(noise(3, -60), clicks(3, 4))],
    ["nothing at all", Buffer.alloc(0)],
  ])("finds no voice in %s", (_, pcm) => {
    expect(stretchIn(pcm)).toBeUndefined();
  });

  it("finds a voice from its first to its last sound", () => {
    const pcm = mixed(noise(8, -62), Buffer.concat([silence(2), voice(1, -40), silence(2), voice(1, -30), silence(2)]));
    const { start = 0, end = 0 } = stretchIn(pcm) ?? {};
    expect(start / framesPerSecond).toBeCloseTo(2, 0);
    expect(end / framesPerSecond).toBeCloseTo(6, 0);
  });

  it("finds a voice in a recording as short as one word", () => {
    expect(stretchIn(fixturePcm("harbor.wav").subarray(16_000, 16_000 + 32_000 * 0.5))).toBeDefined();
  });
});
