import { joinBytes, pcmRate } from "./bytes.ts";
import { bestPause, quietestSpot } from "./cut.ts";
import { FrameReader, levelOf, VoiceDetector, vadFrame } from "./vad.ts";

const framesPerSecond = pcmRate / vadFrame;
/** Frames share blocks of memory, because allocating one per frame takes longer than copying. */
const framesPerBlock = 12;

/**
 * Frames kept before the one in which a voice is detected: soft consonants precede the loud vowel, and detection takes
 * 6 frames.
 */
const leadFrames = 20;
/** Frames kept in silence: a voice may be detected this late. */
const bufferedFrames = leadFrames + 15;
/** Silence that ends an utterance (frames): 0.6 s. */
export const utteranceEnd = 0.6 * framesPerSecond;
/** An utterance with less voice than this is recognized poorly by itself (frames): 2 s. It continues ... */
const shortUtterance = 2 * framesPerSecond;
/** ... if speech resumes within this time after its end (frames): 0.7 s. */
const maxPause = 0.7 * framesPerSecond;

/** Lengths in seconds. */
export interface UtteranceLimits {
  /** An utterance that is longer is split... */
  longest: number;
  /** ... at its best pause after this. */
  shortest: number;
}

const defaultLimits: UtteranceLimits = { shortest: 10, longest: 20 };

export type UtteranceEvent =
  /**
   * Speech begins; `startSample` counts from the beginning of the stream and includes a little of the silence before.
   */
  | { type: "begin"; startSample: number }
  /** More of the current utterance. The receiver owns the memory. */
  | { type: "more"; pcm: Uint8Array }
  /** The utterance has ended; `pcm` is all of it. If it was split, a `begin` follows with the audio after the cut. */
  | { type: "end"; startSample: number; pcm: Uint8Array };

/** Detects a voice frame by frame. */
export interface LiveDetector {
  /** @param level of the next frame @returns whether somebody is speaking, including the hang-over */
  push(level: number): boolean;
  /** How many frames ago the voice was detected, when it is reported; absent: 0. */
  readonly lateFrames?: number;
}

interface CutterOptions {
  detector?: LiveDetector | undefined;
  limits?: UtteranceLimits | undefined;
}

/** Finds the utterances in live speech. Deterministic for the same samples, whatever the chunks. */
export class UtteranceCutter {
  readonly #reader = new FrameReader();
  readonly #detector: LiveDetector;
  /** In frames. */
  readonly #shortest: number;
  readonly #longest: number;
  /** Frames before the voice, or of the current utterance. */
  #frames: Uint8Array[] = [];
  #levels: number[] = [];
  /** Memory for the next frames. */
  #free = new Uint8Array(0);
  /** Where `#frames` begins, in frames from the beginning of the stream. */
  #first = 0;
  #isRunning = false;
  /** Frames since the detector last reported speech. */
  #silent = 0;
  /** Frames of the current utterance emitted as `more`. */
  #emitted = 0;

  /**
   * @param options.detector default: by energy
   */
  constructor({ detector = new VoiceDetector({ hangoverFrames: utteranceEnd }), limits = defaultLimits }: CutterOptions = {}) {
    this.#detector = detector;
    this.#shortest = limits.shortest * framesPerSecond;
    this.#longest = limits.longest * framesPerSecond;
  }

  /** @param pcm whole samples (s16le, mono, 16,000 Hz), any number */
  push(pcm: Uint8Array): UtteranceEvent[] {
    const events: UtteranceEvent[] = [];
    this.#reader.push(pcm, (frame) => this.#take(frame, events));
    this.#emitMore(events);
    return events;
  }

  /** Ends the current utterance here. */
  finish(): UtteranceEvent[] {
    const events: UtteranceEvent[] = [];
    this.#reader.flush((frame) => this.#take(frame, events));
    if (this.#isRunning) this.#end(this.#frames.length, events);
    this.#discard(this.#frames.length);
    return events;
  }

  #take(frame: Int16Array, events: UtteranceEvent[]): void {
    const level = levelOf(frame);
    this.#frames.push(this.#copyOf(frame));
    this.#levels.push(level);
    const isVoice = this.#detector.push(level);
    this.#silent = isVoice ? 0 : this.#silent + 1;
    if (!this.#isRunning) {
      if (isVoice) {
        this.#discard(this.#frames.length - leadFrames - 1 - (this.#detector.lateFrames ?? 0));
        this.#begin(events);
      } else this.#discard(this.#frames.length - bufferedFrames);
    } else if (!isVoice && !this.#mayGoOn) {
      this.#end(this.#frames.length, events);
      this.#discard(this.#frames.length - bufferedFrames);
    } else if (this.#frames.length >= this.#longest) {
      this.#part(events);
    }
  }

  #copyOf({ buffer, byteOffset, byteLength }: Int16Array): Uint8Array {
    if (this.#free.length < byteLength) this.#free = new Uint8Array(framesPerBlock * 2 * vadFrame);
    const copy = this.#free.subarray(0, byteLength);
    copy.set(new Uint8Array(buffer, byteOffset, byteLength));
    this.#free = this.#free.subarray(byteLength);
    return copy;
  }

  /** Whether a short utterance may continue with what follows. */
  get #mayGoOn(): boolean {
    const spoken = this.#frames.length - leadFrames - utteranceEnd - this.#silent;
    return spoken < shortUtterance && this.#silent < maxPause;
  }

  #begin(events: UtteranceEvent[]): void {
    this.#isRunning = true;
    this.#emitted = 0;
    events.push({ type: "begin", startSample: this.#first * vadFrame });
  }

  #part(events: UtteranceEvent[]): void {
    const pause = bestPause(this.#levels, this.#shortest, this.#levels.length);
    const cut = pause === undefined ? quietestSpot(this.#levels, this.#shortest) : Math.round((pause.start + pause.end) / 2);
    this.#end(cut, events);
    this.#discard(cut);
    this.#begin(events);
  }

  /** Ends the utterance before this frame. */
  #end(frames: number, events: UtteranceEvent[]): void {
    this.#emitMore(events);
    const pcm = joinBytes(this.#frames.slice(0, frames));
    events.push({ type: "end", startSample: this.#first * vadFrame, pcm });
    this.#isRunning = false;
  }

  #emitMore(events: UtteranceEvent[]): void {
    if (!this.#isRunning || this.#emitted === this.#frames.length) return;
    events.push({ type: "more", pcm: joinBytes(this.#frames.slice(this.#emitted)) });
    this.#emitted = this.#frames.length;
  }

  #discard(frames: number): void {
    if (frames <= 0) return;
    this.#frames.splice(0, frames);
    this.#levels.splice(0, frames);
    this.#first += frames;
  }
}
