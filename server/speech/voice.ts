import { pcmRate } from "./engine.ts";
import { levelsOf, noiseLevel, vadFrame, voicedStretch } from "./vad.ts";

/** Kept on both sides of the voice (frames of 20 ms): recognisers need a little context. */
const margin = 15;
/** A recording whose level is less than this above the noise has no speech, whatever a recogniser returns (dB). */
const faintAbove = 4;

const framesPerSecond = pcmRate / vadFrame;

/** The part of a recording in which somebody speaks. */
export interface Voice {
  pcm: Buffer;
  /** Its offset in the recording, in seconds. */
  offset: number;
  durationSeconds: number;
  /** Whether there is any audio between two times, in seconds from its beginning. */
  isAudible(from: number, to: number): boolean;
}

/**
 * Trims a recording for an engine: silence at both ends costs time and makes engines hallucinate. Undefined when
 * nobody speaks.
 */
export function voiceIn(pcm: Buffer): Voice | undefined {
  const levels = levelsOf(pcm);
  const floor = noiseLevel(levels);
  const stretch = voicedStretch(levels, floor);
  if (stretch === undefined) return undefined;
  const start = Math.max(stretch.start - margin, 0);
  const end = stretch.end + margin;
  const own = levels.slice(start, end);
  const part = pcm.subarray(start * vadFrame * 2, end * vadFrame * 2);
  return {
    pcm: part,
    offset: (start * vadFrame) / pcmRate,
    durationSeconds: part.length / 2 / pcmRate,
    isAudible: (from, to) =>
      own.slice(Math.floor(from * framesPerSecond), Math.ceil(to * framesPerSecond)).some((level) => level > floor + faintAbove),
  };
}
