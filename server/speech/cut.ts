import { pcmRate } from "./engine.ts";
import { FrameReader, levelOf, noiseLevel, percentile, vadFrame, voicedStretch } from "./vad.ts";

/** A part of a recording that is recognised by itself. Pieces follow each other without gap or overlap. */
export interface Piece {
  /** From 0. */
  index: number;
  /** In samples from the beginning of the recording; `endSample` is the first that does not belong to it. */
  startSample: number;
  endSample: number;
  /** Whether there may be a voice in it; otherwise it needn't be recognised. */
  speech: boolean;
}

const framesPerSecond = pcmRate / vadFrame;

/** In seconds. */
export interface CutLimits {
  /** A piece is cut at the best pause between this... */
  shortest: number;
  /** ... and this length... */
  wanted: number;
  /** ... or, when nobody pauses, at the first real pause after it; at its quietest spot at the latest here. */
  longest: number;
}

/** Long enough that starting costs nothing, short enough that two cores finish together. */
const defaultLimits: CutLimits = { shortest: 20, wanted: 30, longest: 60 };

/** Closed lips inside a word last up to 0.12 s; a pause between words that is safe to cut lasts this long (frames). */
const safePause = 10;
/** A longer pause than this is no better a place to cut (frames). */
const amplePause = framesPerSecond;

export interface Pause {
  /** In frames from the beginning; `end` is the first frame after it. */
  start: number;
  end: number;
  score: number;
}

/**
 * Cuts a recording of any length at its pauses into pieces that can be recognised side by side. The same samples give the same pieces,
 * however they arrive. Keeps 4 bytes per 20 ms of the piece at hand, not its sound.
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
  /** The quietest part of the pieces so far: what a short last piece is measured against. */
  #floor = 0;

  constructor({ shortest, wanted, longest }: CutLimits = defaultLimits) {
    this.#shortest = shortest * framesPerSecond;
    this.#wanted = wanted * framesPerSecond;
    this.#longest = longest * framesPerSecond;
  }

  /** @param pcm whole samples (s16le, mono, 16,000 Hz), as many as there are */
  push(pcm: Buffer): Piece[] {
    const pieces: Piece[] = [];
    this.#received += Math.floor(pcm.length / 2);
    this.#frames.push(pcm, (frame) => {
      this.#levels.push(levelOf(frame));
      const cut = this.#findCut();
      if (cut !== undefined) pieces.push(this.#take(cut, this.#start + cut * vadFrame));
    });
    return pieces;
  }

  /** The rest: at most one piece, none when nothing was pushed since the last cut. */
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
    // Past the wanted length a pause that has just ended is taken. Once a second is often enough to look.
    if (count < this.#wanted || (!isLast && (count - this.#wanted) % framesPerSecond !== 0)) return undefined;
    const pause = bestPause(this.#levels, this.#shortest, count);
    if (pause !== undefined) return Math.round((pause.start + pause.end) / 2);
    return isLast ? quietestSpot(this.#levels, this.#shortest) : undefined;
  }

  #hasVoice(levels: readonly number[]): boolean {
    const noise = noiseLevel(levels);
    const floor = Math.min(noise, this.#floor);
    // What is heard now tells about the room for the next piece, slowly: a fan may have been switched on since.
    this.#floor = Math.min(noise, this.#floor + 6);
    return voicedStretch(levels, floor) !== undefined;
  }
}

/** The pause between two frames that is the longest and deepest; undefined when none is long enough to be safe. */
export function bestPause(levels: readonly number[], from: number, to: number): Pause | undefined {
  const low = percentile(levels, 0.05);
  const high = percentile(levels, 0.95);
  // A quarter of the way from noise to voice; between 3 dB (less is chance) and 10 dB (more is a soft word).
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

/** Where 100 ms are quietest: the place to cut when nobody ever pauses. */
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
