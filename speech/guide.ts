import { joinBytes } from "./bytes.ts";
import { GuidedDetector } from "./guided-detector.ts";
import { type ActivityStream, sileroWindow, type VoiceActivity } from "./voice-activity.ts";

/** Holds live sound back until it is known whether somebody speaks in it: at most one window, 32 ms. */
export class Guide {
  readonly detector: GuidedDetector;
  readonly #activity: VoiceActivity;
  #stream: Promise<ActivityStream | undefined> | undefined;
  #unknown: Uint8Array = new Uint8Array(0);
  #isClosed = false;

  constructor(activity: VoiceActivity, hangoverFrames: number) {
    this.#activity = activity;
    this.detector = new GuidedDetector(hangoverFrames);
  }

  /** @returns the sound that is known now, from what was given before and this */
  async push(pcm: Uint8Array): Promise<Uint8Array> {
    this.#unknown = joinBytes([this.#unknown, pcm]);
    this.#stream ??= this.#activity.open();
    const stream = await this.#stream;
    if (this.#isClosed) stream?.close();
    const digits = await stream?.push(pcm).catch(() => undefined);
    if (digits === undefined) {
      // It has failed, or there is none: from here on, energy tells.
      stream?.close();
      this.#stream = Promise.resolve(undefined);
      this.detector.lose();
      return this.rest();
    }
    this.detector.give(digits);
    const bytes = digits.length * sileroWindow * 2;
    const known = this.#unknown.subarray(0, bytes);
    this.#unknown = this.#unknown.subarray(bytes);
    return known;
  }

  /** What is not known, when no more follows. */
  rest(): Uint8Array {
    const rest = this.#unknown;
    this.#unknown = new Uint8Array(0);
    return rest;
  }

  close(): void {
    this.#isClosed = true;
    void this.#stream?.then((stream) => stream?.close());
  }
}
