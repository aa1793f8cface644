import { endLevel, VoiceDetector, vadFrame } from "./vad.ts";
import type { IsVoice } from "./voice.ts";
import { sileroWindow } from "./voice-activity.ts";

/**
 * Silero's voices end 0.1 to 0.16 s after the last sound of a word (measured on flite), which would delay final words.
 * Therefore a pause counts from where energy has found its beginning, at most this many frames of 20 ms earlier.
 */
const maxTailFrames = 10;
/**
 * At the beginning of a voice, energy and Silero detect it within this many frames of each other, in either order...
 */
const onsetFrames = 15;
/**
 * ... and the detector waits this long for energy, which is more exact, after Silero. Energy may never detect a voice
 * amid noise.
 */
const energyWait = 6;

/** The window in which a frame ends. */
const windowOf = (frame: number) => Math.floor((frame * vadFrame) / sileroWindow);

/** Windows kept, 32 s, because no utterance is longer. A stream may last for hours. */
const bufferedWindows = 1_000;

/**
 * Voice activity on a stream by Silero's windows, which must be given before their frames. Without windows, energy
 * decides.
 */
export class GuidedDetector {
  readonly #energy: VoiceDetector;
  readonly #hangover: number;
  #digits = "";
  /** Windows whose digits were dropped, because their frames are past. */
  #dropped = 0;
  #frame = 0;
  #isLost = false;
  #isSpeaking = false;
  #quietFrames = 0;
  /** Frames without energy, since energy detected a voice, and since Silero did. */
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

  /** Adds the next windows, one digit each. */
  give(digits: string): void {
    this.#digits += digits;
  }

  /** No more windows will come. */
  lose(): void {
    this.#isLost = true;
  }

  /**
   * The voices in an utterance that has just ended. @param firstFrame of the utterance, from the beginning of the
   * stream
   * @returns whether a frame of the utterance, counted from 0, has a voice; undefined when only energy can tell
   */
  voicesFrom(firstFrame: number): IsVoice | undefined {
    const [digits, dropped] = [this.#digits, this.#dropped];
    return this.#isLost ? undefined : (frame) => digits[windowOf(firstFrame + frame) - dropped] === "1";
  }

  /** How many frames ago the current voice was detected. */
  get lateFrames(): number {
    return this.#energyFrames > 0 && this.#energyFrames <= onsetFrames ? this.#energyFrames - 1 : 0;
  }

  /** @param level of the next frame @returns whether somebody is speaking, including the hang-over */
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
