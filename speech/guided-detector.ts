import { endLevel, VoiceDetector, vadFrame } from "./vad.ts";
import type { IsVoice } from "./voice.ts";
import { sileroWindow } from "./voice-activity.ts";

/**
 * Silero's voices end 0.1 to 0.16 s after the last sound of a word (measured on flite), which final words would be late by: a pause is
 * counted from where energy says that it began, at most this many frames of 20 ms before.
 */
const maxTailFrames = 10;
/** Likewise at the beginning: energy and Silero notice a voice within this many frames of each other, whichever is first... */
const onsetFrames = 15;
/** ... and energy, which is the more exact one, is waited for this long after Silero, for it may never notice a voice amid noise. */
const energyWait = 6;

/** The window in which a frame ends. */
const windowOf = (frame: number) => Math.floor((frame * vadFrame) / sileroWindow);

/** Windows that are kept, 32 s: no utterance is longer. A stream may last for hours. */
const bufferedWindows = 1_000;

/** Voice activity on a stream by Silero's windows, which have to be given before their frames; by energy once they are lost. */
export class GuidedDetector {
  readonly #energy: VoiceDetector;
  readonly #hangover: number;
  #digits = "";
  /** Windows whose digits were dropped: their frames are over. */
  #dropped = 0;
  #frame = 0;
  #isLost = false;
  #isSpeaking = false;
  #quietFrames = 0;
  /** Frames until now: without energy, since energy noticed a voice, and since Silero did. */
  #faintFrames = 0;
  #energyFrames = 0;
  #voiceFrames = 0;

  /** @param hangoverFrames silence (20 ms frames) that ends a voice */
  constructor(hangoverFrames: number) {
    this.#hangover = hangoverFrames;
    this.#energy = new VoiceDetector({ hangoverFrames });
  }

  get quietFrames(): number {
    return this.#isLost ? this.#energy.quietFrames : this.#quietFrames;
  }

  /** The next windows, a digit for each. */
  give(digits: string): void {
    this.#digits += digits;
  }

  /** No more windows will come. */
  lose(): void {
    this.#isLost = true;
  }

  /**
   * Of an utterance that has just ended. @param firstFrame of it, from the beginning of the stream
   * @returns whether a voice is in one of its frames, the first of which is 0; undefined: energy alone can tell
   */
  voicesFrom(firstFrame: number): IsVoice | undefined {
    const [digits, dropped] = [this.#digits, this.#dropped];
    return this.#isLost ? undefined : (frame) => digits[windowOf(firstFrame + frame) - dropped] === "1";
  }

  /** How many frames ago the voice was noticed that has just begun. */
  get lateFrames(): number {
    return this.#energyFrames > 0 && this.#energyFrames <= onsetFrames ? this.#energyFrames - 1 : 0;
  }

  /** @param level of the next frame @returns whether somebody is speaking, hang-over included */
  push(level: number): boolean {
    const byEnergy = this.#energy.push(level);
    this.#energyFrames = byEnergy ? this.#energyFrames + 1 : 0;
    this.#faintFrames = level > endLevel(this.#energy.floor) ? 0 : this.#faintFrames + 1;
    const isVoice = this.#next();
    if (isVoice === undefined) return this.#isLost ? byEnergy : this.#isSpeaking;
    this.#voiceFrames = isVoice ? this.#voiceFrames + 1 : 0;
    if (!this.#isSpeaking) this.#begin(byEnergy);
    else this.#goOn(isVoice);
    return this.#isSpeaking;
  }

  #begin(byEnergy: boolean): void {
    this.#isSpeaking = this.#voiceFrames > 0 && (byEnergy || this.#voiceFrames > energyWait);
    this.#quietFrames = 0;
  }

  #goOn(isVoice: boolean): void {
    if (isVoice) {
      this.#quietFrames = 0;
      return;
    }
    this.#quietFrames = this.#quietFrames === 0 ? Math.max(1, Math.min(this.#faintFrames, maxTailFrames)) : this.#quietFrames + 1;
    if (this.#quietFrames >= this.#hangover) this.#isSpeaking = false;
  }

  /** Whether the window in which this frame ends has a voice; undefined when it was not given. */
  #next(): boolean | undefined {
    const window = windowOf(this.#frame) - this.#dropped;
    this.#frame += 1;
    const digit = this.#digits[window];
    if (window > 2 * bufferedWindows) {
      this.#digits = this.#digits.slice(window - bufferedWindows);
      this.#dropped += window - bufferedWindows;
    }
    return digit === undefined ? undefined : digit === "1";
  }
}
