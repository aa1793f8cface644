import { pcmRate } from "./bytes.ts";
import { FrameReader, levelOf, noiseLevel, percentile, vadFrame, voicedStretch } from "./vad.ts";

/** A part of a recording that is recognized separately. Pieces are contiguous. */
export interface Piece {
  /** From 0. */
  index: number;
  /** Samples from the beginning of the recording; `endSample` is exclusive. */
  startSample: number;
  endSample: number;
  /** Whether it may contain a voice; otherwise recognition is skipped. */
  speech: boolean;
}

const framesPerSecond = pcmRate / vadFrame;

/** Lengths in seconds. */
export interface CutLimits {
  /** A piece is cut at the best pause between this... */
  shortest: number;
  /** ... and this length... */
  wanted: number;
  /** ... or, if there is none, at the first real pause after it; at the latest at this length, at its quietest spot. */
  longest: number;
}

/** Long enough to amortize the start, short enough to keep two cores busy until the end. */
const defaultLimits: CutLimits = { shortest: 20, wanted: 30, longest: 60 };

/** Shortest pause that is safe to cut (frames): stop consonants within a word are silent for up to 0.12 s. */
const safePause = 10;
/** Longer pauses than this are not preferred (frames). */
const amplePause = framesPerSecond;

export interface Pause {
  /** Frames from the beginning; `end` is exclusive. */
  start: number;
  end: number;
  score: number;
}

/**
 * Cuts a recording of any length at its pauses into pieces for parallel recognition. Deterministic for the same
 * samples, whatever the chunks. Keeps 4 bytes per 20 ms of the current piece, not its audio.
 */
export class PieceCutter {
  readonly #frames = new FrameReader();
  readonly #levels: number[] = [];
  readonly #shortest: number;
  readonly #wanted: number;
  readonly #longest: number;
  #start = 0;
  #received = 0;
  #index = 0;
  /** The lowest noise level of the pieces so far: the reference for a short last piece. */
  #floor = 0;

  constructor({ shortest, wanted, longest }: CutLimits = defaultLimits) {
    this.#shortest = shortest * framesPerSecond;
    this.#wanted = wanted * framesPerSecond;
    this.#longest = longest * framesPerSecond;
  }

  /** @param pcm whole samples (s16le, mono, 16,000 Hz), any number */
  push(pcm: Uint8Array): Piece[] {
    const pieces: Piece[] = [];
    this.#received += Math.floor(pcm.length / 2);
    this.#frames.push(pcm, (frame) => {
      this.#levels.push(levelOf(frame));
      const cut = this.#findCut();
      if (cut !== undefined) pieces.push(this.#take(cut, this.#start + cut * vadFrame));
    });
    return pieces;
  }

  /** The rest: at most one piece; none if nothing was pushed since the last cut. */
  finish(): Piece[] {
    this.#frames.flush((frame) => this.#levels.push(levelOf(frame)));
    return this.#received > this.#start ? [this.#take(this.#levels.length, this.#received)] : [];
  }

  #take(frames: number, endSample: number): Piece {
    const levels = this.#levels.splice(0, frames);
    const piece = { index: this.#index, startSample: this.#start, endSample, speech: this.#hasVoice(levels) };
    this.#index += 1;
    this.#start = endSample;
    return piece;
  }

  #findCut(): number | undefined {
    const count = this.#levels.length;
    const isLast = count >= this.#longest;
    // Beyond the preferred length the latest pause is taken. Checking once a second suffices.
    if (count < this.#wanted || (!isLast && (count - this.#wanted) % framesPerSecond !== 0)) return undefined;
    const pause = bestPause(this.#levels, this.#shortest, count);
    if (pause !== undefined) return Math.round((pause.start + pause.end) / 2);
    return isLast ? quietestSpot(this.#levels, this.#shortest) : undefined;
  }

  #hasVoice(levels: readonly number[]): boolean {
    const noise = noiseLevel(levels);
    const floor = Math.min(noise, this.#floor);
    // The noise estimate rises slowly from piece to piece: a fan may have been switched on.
    this.#floor = Math.min(noise, this.#floor + 6);
    return voicedStretch(levels, floor) !== undefined;
  }
}

/** The longest and deepest pause between two frames; undefined when none is long enough to be safe. */
export function bestPause(levels: readonly number[], from: number, to: number): Pause | undefined {
  const low = percentile(levels, 0.05);
  const high = percentile(levels, 0.95);
  // The threshold is a quarter of the way from noise to voice, between 3 dB (less is chance) and 10 dB (more is a soft
  // word).
  const threshold = low + Math.min(Math.max((high - low) / 4, 3), 10);
  let best: Pause | undefined;
  let start: number | undefined;
  let depth = 0;
  for (let at = from; at <= to; at += 1) {
    const level = at < to ? levels[at] : undefined;
    if (level !== undefined && level <= threshold) {
      start ??= at;
      depth += threshold - level + 1;
    } else if (start !== undefined) {
      const length = at - start;
      const score = (depth / length) * Math.min(length, amplePause);
      if (length >= safePause && score > (best?.score ?? 0)) best = { start, end: at, score };
      start = undefined;
      depth = 0;
    }
  }
  return best;
}

/** The quietest 100 ms: the place to cut when there is no pause. */
export function quietestSpot(levels: readonly number[], from: number): number {
  const width = 5;
  let best = from;
  let lowest = Number.POSITIVE_INFINITY;
  for (let at = from; at + width <= levels.length; at += 1) {
    const sum = levels.slice(at, at + width).reduce((total, level) => total + level, 0);
    if (sum < lowest) {
      lowest = sum;
      best = at + Math.floor(width / 2);
    }
  }
  return best;
}
