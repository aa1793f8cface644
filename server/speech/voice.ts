import { pcmRate } from "./engine.ts";
import { sileroWindow, type VoiceActivity } from "./silero/silero.ts";
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
 * Trims a recording for an engine: silence and noise at both ends cost time and make engines hallucinate. Undefined when
 * nobody speaks.
 * @param activity who tells voices from noise; without it, or where it can't tell, energy does
 */
export async function findVoice(pcm: Buffer, activity: VoiceActivity | undefined): Promise<Voice | undefined> {
  const windows = await activity?.windows(pcm);
  if (windows === undefined) return voiceIn(pcm);
  const first = windows.indexOf("1");
  if (first < 0) return undefined;
  const framesPerWindow = sileroWindow / vadFrame;
  const stretch = {
    start: Math.floor(first * framesPerWindow),
    end: Math.ceil((windows.lastIndexOf("1") + 1) * framesPerWindow),
  };
  const levels = levelsOf(pcm);
  return voiceAt(pcm, levels, noiseLevel(levels), stretch);
}

/** The same by energy alone. */
export function voiceIn(pcm: Buffer): Voice | undefined {
  const levels = levelsOf(pcm);
  const floor = noiseLevel(levels);
  const stretch = voicedStretch(levels, floor);
  return stretch === undefined ? undefined : voiceAt(pcm, levels, floor, stretch);
}

/** An utterance in which somebody speaks for sure: trimmed where that is possible by energy. */
export function voiceOfUtterance(pcm: Buffer): Voice {
  const levels = levelsOf(pcm);
  const floor = noiseLevel(levels);
  return voiceAt(pcm, levels, floor, voicedStretch(levels, floor) ?? { start: 0, end: levels.length });
}

function voiceAt(pcm: Buffer, levels: readonly number[], floor: number, stretch: { start: number; end: number }): Voice {
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
