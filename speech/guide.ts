import { joinBytes } from "./bytes.ts";
import { GuidedDetector } from "./guided-detector.ts";
import { type ActivityStream, sileroWindow, type VoiceActivity } from "./voice-activity.ts";

/** Holds live sound back until the detector has decided on it: at most one window, 32 ms. */
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

  /** @returns the sound that is now decided, from earlier calls and this one */
  async push(pcm: Uint8Array): Promise<Uint8Array> {
    this.#unknown = joinBytes([this.#unknown, pcm]);
    this.#stream ??= this.#activity.open();
    const stream = await this.#stream;
    if (this.#isClosed) stream?.close();
    const digits = await stream?.push(pcm).catch(() => undefined);
    if (digits === undefined) {
      // The detector has failed, or there is none: from here on, energy decides.
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

  /** The undecided rest, when no more sound follows. */
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
