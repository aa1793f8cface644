import type { Segment } from "#contract/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import { FrameReader, levelOf, VoiceDetector, vadFrame } from "#speech/vad.ts";

/** Longest pause that counts as speech, such as a breath or a comma (seconds). */
const longestPause = 1;
/** A voice is detected this late, including its frame (frames of 20 ms). */
const onsetFrames = 4;

/** Counts the speech in a stream. Silence of more than a second does not count. */
export class SpokenMeter {
  readonly #reader = new FrameReader();
  readonly #detector = new VoiceDetector({ hangoverFrames: (longestPause * pcmRate) / vadFrame });
  #spokenFrames = 0;
  /** Frames since the last counted one. */
  #waiting = 0;
  #isSpeaking = false;

  /** Speech until now, in samples. */
  get samples(): number {
    const rest = this.#isSpeaking && this.#waiting === 0 ? this.#reader.pending : 0;
    return this.#spokenFrames * vadFrame + rest;
  }

  /** @param pcm whole samples (s16le, mono, 16,000 Hz), any number */
  push(pcm: Uint8Array): void {
    this.#reader.push(pcm, (frame) => this.#take(levelOf(frame)));
  }

  #take(level: number): void {
    const wasSpeaking = this.#isSpeaking;
    this.#isSpeaking = this.#detector.push(level);
    this.#waiting += 1;
    if (!this.#isSpeaking || this.#detector.quietFrames > 0) return;
    // Within speech, the pause before this frame was short enough to count.
    this.#spokenFrames += wasSpeaking ? this.#waiting : Math.min(this.#waiting, onsetFrames);
    this.#waiting = 0;
  }
}

/** The speech in a recording, in seconds. Pauses of more than a second between words are left out. */
export function spokenSeconds(segments: readonly Pick<Segment, "start" | "end" | "words">[]): number {
  const spans = segments.flatMap(({ start, end, words }) => (words.length === 0 ? [{ start, end }] : words));
  let spoken = 0;
  let reached: number | undefined;
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const from = reached === undefined || start - reached > longestPause ? start : reached;
    spoken += Math.max(0, end - from);
    reached = Math.max(reached ?? end, end);
  }
  return spoken;
}
