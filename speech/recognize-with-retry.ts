import type { Segment } from "#contract/index.ts";
import { append } from "#contract/lists.ts";
import { cutLoop, isLooping } from "./loops.ts";
import { partOfVoice, spokenIn, type Voice } from "./voice.ts";

/** A longer voice without a text is recognized again (seconds): a cough or a "hm" is shorter. */
const longestWithoutText = 1.5;
/** Length left out at the end of the second attempt (seconds). */
const shorter = 0.4;
/** Texts that recognizers invent in silence, and the time that really saying them takes at least (seconds). */
const phantoms = new Map([
  ["you", 0.4],
  ["thank you", 0.25],
  ["thanks for watching", 0.6],
  ["bye", 0.2],
]);

/** Text for a voice that no engine understood. */
const notUnderstood = "[…]";

/** Called for a voice that stays without a text, for which "[…]" is written. */
export type NotUnderstood = (voice: Pick<Voice, "durationSeconds">) => void;

export interface RetryOptions {
  /** Whether the decoder generates word after word like a language model, so that it may get stuck in a loop. */
  mayLoop: boolean;
  onNotUnderstood?: NotUnderstood | undefined;
}

/** @returns the segments, with times in the recording; empty without words */
export type Recognize = (voice: Voice) => Promise<Segment[]>;

/**
 * Recognizes a voice, and corrects impossible results. A looping text is recognized again a little shorter, then cut.
 * "Thank you." with hardly any speech is dropped. A voice without a text is recognized again in halves. No voice is
 * lost silently.
 */
export async function recognizeWithRetry(
  voice: Voice,
  recognize: Recognize,
  { mayLoop, onNotUnderstood }: RetryOptions,
): Promise<Segment[]> {
  const segments = await recognize(voice);
  const text = textOf(segments);
  const seconds = spokenIn(voice);
  if (text === "") return seconds > longestWithoutText ? recognizeHalves(voice, recognize, onNotUnderstood) : [];
  if (isPhantom(text, seconds)) return [];
  if (!mayLoop || !isLooping(text, seconds)) return segments;
  const again = await recognize(partOfVoice(voice, 0, voice.durationSeconds - shorter));
  return isLooping(textOf(again), seconds) || textOf(again) === "" ? cutLoop(segments) : again;
}

async function recognizeHalves(
  voice: Voice,
  recognize: Recognize,
  onNotUnderstood: NotUnderstood = () => undefined,
): Promise<Segment[]> {
  const middle = middlePause(voice);
  const halves = [partOfVoice(voice, 0, middle), partOfVoice(voice, middle, voice.durationSeconds)];
  const recognized: Segment[] = [];
  for (const half of halves) {
    const segments = await recognize(half);
    if (textOf(segments) !== "") append(recognized, segments);
    else if (spokenIn(half) > longestWithoutText / 2) {
      onNotUnderstood(half);
      recognized.push(notUnderstoodSegment(half));
    }
  }
  return recognized;
}

/** The pause nearest to the middle; else the middle. In seconds from the voice's beginning. */
function middlePause({ durationSeconds, spoken }: Voice): number {
  const middle = durationSeconds / 2;
  const pauses = spoken.slice(1).map(({ start }, at) => (start + (spoken[at]?.end ?? start)) / 2);
  return pauses.toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? middle;
}

function notUnderstoodSegment({ offset, durationSeconds, spoken }: Voice): Segment {
  const start = offset + (spoken[0]?.start ?? 0);
  const end = offset + (spoken.at(-1)?.end ?? durationSeconds);
  return { start, end, text: notUnderstood, words: [{ text: notUnderstood, start, end, confidence: 0 }] };
}

/**
 * Whether a text is one that recognizers invent in silence.
 * @param seconds of speech in the sound
 */
export function isPhantom(text: string, seconds: number): boolean {
  return seconds < (phantoms.get(text.toLowerCase().replace(/[^\p{L} ]/gu, "")) ?? 0);
}

/** The text of all segments. */
export function textOf(segments: readonly Segment[]): string {
  return segments
    .map(({ text }) => text)
    .join(" ")
    .trim();
}
