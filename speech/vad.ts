import { largest, smallest } from "#contract/lists.ts";
import { pcmRate, samplesOf } from "./bytes.ts";

/** The detector's frame length: 20 ms. */
export const vadFrame = pcmRate / 50;
const framesPerSecond = pcmRate / vadFrame;

/** Levels are in dBFS; 0 is a full-scale square wave. Anything softer than this counts as digital silence. */
export const silentLevel = -75;

/** Lowest level of speech, however quiet the room (dBFS): a whisper at arm's length is about -55. */
const audibleLevel = -58;

/** In a complete recording, a voice is this much above the noise (dB)... */
const voiceAbove = 8;
/** ... for this many of 8 consecutive frames (160 ms), unlike a click. */
const voicedOf8 = 5;

/** Levels above the noise at which a voice begins, and below which it ends (dB). Their difference is the hysteresis. */
const beginAbove = 9;
const endAbove = 5;

/** A voice has begun when this many of the last `onsetWindow` frames are loud; a click fills one or two. */
const onsetFrames = 4;
const onsetWindow = 6;

/**
 * A voice ends after this long below the end level (frames). Closed lips and breaths inside words last up to a fifth of
 * a second.
 */
const defaultHangover = 15;

/** The noise floor is the lowest level of this period (frames); speech has gaps more often than that. */
const floorWindow = 5 * framesPerSecond;
/** ... stored as minima of blocks of this length (frames). */
const floorBlock = framesPerSecond / 2;
/** The floor at the beginning of a stream, so that a speaker is detected from the first sample on (dBFS). */
const firstFloor = -50;

/**
 * Sound that varies less than this over `steadyFrames` is a fan or a tone, not a voice. It becomes the floor at once
 * (dB).
 */
const steadySpread = 5;
const steadyFrames = 1.5 * framesPerSecond;

/** The level of one frame in dBFS, without DC offset, at least `silentLevel`. */
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

/** The level below which a voice ends (dBFS). @param floor level of the noise, in dBFS */
export function endLevel(floor: number): number {
  return Math.max(floor + endAbove, audibleLevel);
}

/** Splits PCM in chunks of any size into frames of `vadFrame` samples. The memory of an emitted frame is reused. */
export class FrameReader {
  readonly #frame = new Int16Array(vadFrame);
  #filled = 0;

  /** Samples in the incomplete frame. */
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

  /** Silent frames within a voice that has not ended yet. */
  get quietFrames(): number {
    return this.#quietFrames;
  }

  /**
   * @param level of the next frame, from `levelOf`
   * @returns whether somebody is speaking, including the hang-over. The beginning is detected `onsetFrames` late, so
   *   keep a little of the sound before.
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
      // The floor falls at once, but rises only after a whole window was louder.
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

/** The level that this fraction of the frames stays below. */
export function percentile(levels: readonly number[], fraction: number): number {
  // Sorting a typed array calls no function per pair.
  const sorted = Float64Array.from(levels).sort();
  return sorted[Math.floor((sorted.length - 1) * fraction)] ?? silentLevel;
}

/** Lowest level of a voice in a frame of a complete recording (dBFS). @param floor level of the noise, in dBFS */
export function voiceLevel(floor: number): number {
  return Math.max(floor + voiceAbove, audibleLevel);
}

/** The noise level of a complete recording: speech always has gaps, so at least a tenth of the frames is noise. */
export function noiseLevel(levels: readonly number[]): number {
  return percentile(levels, 0.1);
}

/**
 * The stretch of a recording from the first to the last voice, in frames (`end` is exclusive); undefined without a
 * voice.
 * @param floor level of the noise, in dBFS
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

/** The levels of all frames of a recording, including an incomplete last frame. */
export function levelsOf(pcm: Uint8Array): number[] {
  const levels: number[] = [];
  const frames = new FrameReader();
  frames.push(pcm, (frame) => levels.push(levelOf(frame)));
  frames.flush((frame) => levels.push(levelOf(frame)));
  return levels;
}
