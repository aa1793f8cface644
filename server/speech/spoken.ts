import type { Segment } from "#contract/index.ts";
import { pcmRate } from "#speech/bytes.ts";
import { FrameReader, levelOf, VoiceDetector, vadFrame } from "#speech/vad.ts";

/** Silence up to this long belongs to what is spoken around it: a breath, a comma (seconds). */
const longestPause = 1;
/** A voice is noticed this late: the frame in which it is, included (frames of 20 ms). */
const onsetFrames = 4;

/** Counts how much of a stream is spoken. Silence of more than a second is not. */
export class SpokenMeter {
  readonly #reader = new FrameReader();
  readonly #detector = new VoiceDetector({ hangoverFrames: (longestPause * pcmRate) / vadFrame });
  #spokenFrames = 0;
  /** Frames since the last one that was counted. */
  #waiting = 0;
  #isSpeaking = false;

  /** What was spoken until now, in samples. */
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
    // Within a voice, the pause before this frame was short enough to belong to it.
    this.#spokenFrames += wasSpeaking ? this.#waiting : Math.min(this.#waiting, onsetFrames);
    this.#waiting = 0;
  }
}

/** Which part of a recording has words, in seconds: pauses of more than a second between them are left out. */
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
