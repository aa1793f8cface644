import { pcmRate } from "./bytes.ts";
import type { Span } from "./spread.ts";
import { levelsOf, noiseLevel, silentLevel, vadFrame, voicedStretch, voiceLevel } from "./vad.ts";
import { sileroWindow, type VoiceActivity } from "./voice-activity.ts";

/** Context kept on both sides of the voice (frames of 20 ms), which recognizers need. */
const margin = 15;
/** A shorter silence counts as speech (frames): stop consonants within a word are silent for up to 0.12 s. */
const joinedSilence = 10;
/** A shorter sound is a click (frames). */
const shortestSound = 3;

const framesPerSecond = pcmRate / vadFrame;

/** Whether a frame, by its number, contains a voice, where that is known by other means than energy. */
export type IsVoice = (frame: number) => boolean;

/** The part of a recording with a voice. */
export interface Voice {
  pcm: Uint8Array;
  /** Its offset in the recording, in seconds. */
  offset: number;
  durationSeconds: number;
  /** The stretches with speech, in seconds from the beginning: in order, with pauses between them. */
  spoken: readonly Span[];
}

/**
 * Trims a recording for an engine: silence and noise at both ends cost time and make engines hallucinate. Undefined
 * without a voice.
 * @param activity detects voices in noise; without it, or where it is unavailable, energy decides
 */
export async function findVoice(pcm: Uint8Array, activity: VoiceActivity | undefined): Promise<Voice | undefined> {
  const windows = await activity?.windows(pcm);
  if (windows === undefined) return voiceIn(pcm);
  const first = windows.indexOf("1");
  if (first < 0) return undefined;
  const framesPerWindow = sileroWindow / vadFrame;
  const stretch = {
    start: Math.floor(first * framesPerWindow),
    end: Math.ceil((windows.lastIndexOf("1") + 1) * framesPerWindow),
  };
  const isVoice = (frame: number) => windows[Math.floor(frame / framesPerWindow)] === "1";
  return voiceAt(pcm, levelsOf(pcm), stretch, isVoice);
}

/** The same by energy alone. */
export function voiceIn(pcm: Uint8Array): Voice | undefined {
  const levels = levelsOf(pcm);
  const stretch = voicedStretch(levels, noiseLevel(levels));
  return stretch === undefined ? undefined : voiceAt(pcm, levels, stretch);
}

/** The voice of an utterance that certainly contains one; it is trimmed where energy allows it. */
export function voiceOfUtterance(pcm: Uint8Array, isVoice?: IsVoice): Voice {
  const levels = levelsOf(pcm);
  return voiceAt(pcm, levels, voicedStretch(levels, noiseLevel(levels)) ?? { start: 0, end: levels.length }, isVoice);
}

/** Seconds of speech in a voice. */
export function spokenIn({ spoken }: Voice): number {
  return spoken.reduce((sum, { start, end }) => sum + end - start, 0);
}

/** The part of a voice between two times, in seconds from its beginning. */
export function partOfVoice({ pcm, offset, spoken }: Voice, from: number, to: number): Voice {
  const byteAt = (seconds: number) => 2 * Math.round(seconds * pcmRate);
  const part = pcm.subarray(byteAt(from), byteAt(to));
  const within = spoken.flatMap(({ start, end }) => {
    const span = { start: Math.max(start, from) - from, end: Math.min(end, to) - from };
    return span.end > span.start ? [span] : [];
  });
  return { pcm: part, offset: offset + from, durationSeconds: part.length / 2 / pcmRate, spoken: within };
}

function voiceAt(
  pcm: Uint8Array,
  levels: readonly number[],
  stretch: { start: number; end: number },
  isVoice: IsVoice = () => true,
): Voice {
  const threshold = voiceLevel(noiseLevel(levels));
  const start = Math.max(stretch.start - margin, 0);
  const part = pcm.subarray(start * vadFrame * 2, (stretch.end + margin) * vadFrame * 2);
  const isSpoken = (frame: number) => isVoice(frame) && (levels[frame] ?? silentLevel) > threshold;
  const runs = runsOf(stretch, isSpoken);
  // Amid noise, energy may find nothing.
  const spans = (runs.length === 0 ? [stretch] : runs).map((run) => ({
    start: (run.start - start) / framesPerSecond,
    end: (run.end - start) / framesPerSecond,
  }));
  return { pcm: part, offset: start / framesPerSecond, durationSeconds: part.length / 2 / pcmRate, spoken: spans };
}

/** The runs of frames with speech; `end` is exclusive. */
function runsOf({ start, end }: { start: number; end: number }, isSpoken: (frame: number) => boolean): Span[] {
  const runs: Span[] = [];
  for (let frame = start; frame < end; frame += 1) {
    if (!isSpoken(frame)) continue;
    const last = runs.at(-1);
    if (last !== undefined && frame - last.end < joinedSilence) last.end = frame + 1;
    else runs.push({ start: frame, end: frame + 1 });
  }
  return runs.filter((run) => run.end - run.start >= shortestSound);
}
