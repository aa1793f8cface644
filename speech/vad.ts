import { largest, smallest } from "#contract/lists.ts";
import { pcmRate, samplesOf } from "./bytes.ts";

/** The detector's frame length: 20 ms. */
export const vadFrame = pcmRate / 50;
const framesPerSecond = pcmRate / vadFrame;

/** Levels are in dBFS, 0 being a full-scale square wave; what is softer than this counts as digital silence. */
export const silentLevel = -75;

/** Below this nothing counts as speech, however quiet the room (dBFS): a whisper at arm's length is about -55. */
const audibleLevel = -58;

/** In a complete recording, a voice is this much above the noise (dB)... */
const voiceAbove = 8;
/** ... for this many of 8 frames in a row (160 ms); a click is not. */
const voicedOf8 = 5;

/**
 * How far above the noise a voice begins, and how far it may fall before it has ended (dB). The gap between them is the
 * hysteresis.
 */
const beginAbove = 9;
const endAbove = 5;

/** A voice has begun when this many of the last `onsetWindow` frames are loud: a click fills one or two. */
const onsetFrames = 4;
const onsetWindow = 6;

/**
 * Closed lips and breaths inside words last up to a fifth of a second: a voice ends after this long below the end level (frames).
 */
const defaultHangover = 15;

/** The noise floor is the lowest level of this long (frames); words leave gaps more often than that. */
const floorWindow = 5 * framesPerSecond;
/** ... kept as minima of blocks this long (frames). */
const floorBlock = framesPerSecond / 2;
/** The floor of a stream that has only begun: so that somebody who talks from the first sample on is heard (dBFS). */
const firstFloor = -50;

/** Sound that varies less than this over `steadyFrames` is a fan or a tone, not a voice: it becomes the floor at once (dB). */
const steadySpread = 5;
const steadyFrames = 1.5 * framesPerSecond;

/** The level of one frame in dBFS, without its DC offset, not below `silentLevel`. */
export function levelOf(samples: Int16Array): number {
  let sum = 0;
  let squares = 0;
  for (const sample of samples) {
    sum += sample;
    squares += sample * sample;
  }
  const count = samples.length;
  const power = (squares - (sum * sum) / count) / count / (32_768 * 32_768);
  return Math.max(silentLevel, 10 * Math.log10(Math.max(power, 1e-12)));
}

/** The level to which a voice has to fall before it has ended (dBFS). @param floor the level of the noise, in dBFS */
export function endLevel(floor: number): number {
  return Math.max(floor + endAbove, audibleLevel);
}

/** Splits PCM of any chunk sizes into frames of `vadFrame` samples. The emitted frame's memory is reused. */
export class FrameReader {
  readonly #frame = new Int16Array(vadFrame);
  #filled = 0;

  /** Samples of an incomplete frame. */
  get pending(): number {
    return this.#filled;
  }

  /** @param pcm whole samples, s16le */
  push(pcm: Uint8Array, onFrame: (frame: Int16Array) => void): void {
    const samples = samplesOf(pcm);
    let read = 0;
    while (read < samples.length) {
      const take = Math.min(vadFrame - this.#filled, samples.length - read);
      this.#frame.set(samples.subarray(read, read + take), this.#filled);
      this.#filled += take;
      read += take;
      if (this.#filled === vadFrame) {
        this.#filled = 0;
        onFrame(this.#frame);
      }
    }
  }

  /** Emits the incomplete last frame, if there is one. */
  flush(onFrame: (frame: Int16Array) => void): void {
    if (this.#filled === 0) return;
    const rest = this.#frame.slice(0, this.#filled);
    this.#filled = 0;
    onFrame(rest);
  }
}

/**
 * Voice activity detection on a stream: energy against an adaptive noise floor, with hysteresis and hang-over. Prefers
 * false positives to missed words.
 */
export class VoiceDetector {
  readonly #hangover: number;
  readonly #blockMinima: number[] = [];
  #blockMinimum = Number.POSITIVE_INFINITY;
  #blockCount = 0;
  #floor = firstFloor;
  readonly #recent: number[] = [];
  readonly #onset: boolean[] = [];
  #speaking = false;
  #quietFrames = 0;

  /** @param options.hangoverFrames silence (20 ms frames) that ends a voice; default 15 */
  constructor({ hangoverFrames = defaultHangover }: { hangoverFrames?: number } = {}) {
    this.#hangover = hangoverFrames;
  }

  /** The noise level, in dBFS. */
  get floor(): number {
    return this.#floor;
  }

  /** Number of silent frames within a voice that has not ended yet. */
  get quietFrames(): number {
    return this.#quietFrames;
  }

  /**
   * @param level of the next frame, from `levelOf`
   * @returns whether somebody is speaking, hang-over included. The beginning is detected `onsetFrames` late: keep a little of
   * what came before.
   */
  push(level: number): boolean {
    this.#followNoise(level);
    const begin = Math.max(this.#floor + beginAbove, audibleLevel);
    const end = endLevel(this.#floor);
    this.#onset.push(level > begin);
    if (this.#onset.length > onsetWindow) this.#onset.shift();

    if (!this.#speaking) {
      this.#speaking = this.#onset.filter(Boolean).length >= onsetFrames;
      this.#quietFrames = 0;
    } else {
      this.#quietFrames = level > end ? 0 : this.#quietFrames + 1;
      if (this.#quietFrames >= this.#hangover) {
        this.#speaking = false;
        this.#onset.length = 0;
      }
    }
    return this.#speaking;
  }

  #followNoise(level: number): void {
    this.#blockMinimum = Math.min(this.#blockMinimum, level);
    this.#blockCount += 1;
    this.#recent.push(level);
    if (this.#recent.length > steadyFrames) this.#recent.shift();
    if (this.#blockCount < floorBlock) {
      // Down at once, up only when a whole window was louder.
      this.#floor = Math.min(this.#floor, this.#blockMinimum);
      return;
    }
    this.#blockMinima.push(this.#blockMinimum);
    if (this.#blockMinima.length > floorWindow / floorBlock) this.#blockMinima.shift();
    this.#blockMinimum = Number.POSITIVE_INFINITY;
    this.#blockCount = 0;
    const lowest = smallest(this.#blockMinima);
    const isFull = this.#blockMinima.length === floorWindow / floorBlock;
    this.#floor = isFull ? lowest : Math.min(this.#floor, lowest);
    if (this.#recent.length >= steadyFrames) this.#takeSteadySound();
  }

  #takeSteadySound(): void {
    const lowest = smallest(this.#recent);
    const highest = largest(this.#recent);
    if (highest - lowest > steadySpread || lowest <= this.#floor) return;
    this.#floor = lowest;
    this.#blockMinima.fill(lowest);
  }
}

/** The level below which this fraction of the frames lies. */
export function percentile(levels: readonly number[], fraction: number): number {
  // Numbers in a typed array are sorted without calling a function for each pair.
  const sorted = Float64Array.from(levels).sort();
  return sorted[Math.floor((sorted.length - 1) * fraction)] ?? silentLevel;
}

/** The level from which on a frame of a complete recording may be a voice (dBFS). @param floor the level of the noise, in dBFS */
export function voiceLevel(floor: number): number {
  return Math.max(floor + voiceAbove, audibleLevel);
}

/** The noise level of a complete recording: speech always has gaps, so that a tenth of the frames is noise. */
export function noiseLevel(levels: readonly number[]): number {
  return percentile(levels, 0.1);
}

/**
 * The stretch of a recording from the first to the last voice in it, in frames (`end` is the first frame after it); undefined
 * when nobody speaks.
 * @param floor the level of the noise, in dBFS
 */
export function voicedStretch(levels: readonly number[], floor: number): { start: number; end: number } | undefined {
  const threshold = voiceLevel(floor);
  let voiced = 0;
  let start: number | undefined;
  let end = 0;
  for (const [at, level] of levels.entries()) {
    if (level > threshold) voiced += 1;
    if ((levels[at - 8] ?? silentLevel) > threshold) voiced -= 1;
    if (voiced < voicedOf8) continue;
    start ??= Math.max(at - 7, 0);
    end = at + 1;
  }
  return start === undefined ? undefined : { start, end };
}

/** The levels of all frames of a recording; an unfinished last frame counts as one. */
export function levelsOf(pcm: Uint8Array): number[] {
  const levels: number[] = [];
  const frames = new FrameReader();
  frames.push(pcm, (frame) => levels.push(levelOf(frame)));
  frames.flush((frame) => levels.push(levelOf(frame)));
  return levels;
}
