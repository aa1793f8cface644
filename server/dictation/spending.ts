import type { Segment } from "#contract/index.ts";
import type { SpokenMeter } from "#server/speech/index.ts";
import { pcmRate } from "#speech/bytes.ts";

interface SpendingParts {
  /** Has measured the whole recording so far. */
  meter: SpokenMeter;
  /** The ms of silence that one recording of a person with a limit may have. */
  silenceMs: number;
  /** The segments that an engine here has recognized, without those that only a page claims. */
  recognized(): readonly Pick<Segment, "start" | "end">[];
  /** @returns how many samples remain of the user's minutes (subscription/usage.ts: `spend`) */
  spend(spoken: number, at: number): Promise<number>;
}

/** Counts the speech in a growing recording: silence costs no minutes. */
export class Spending {
  readonly #parts: SpendingParts;
  #isSilent = false;

  constructor(parts: SpendingParts) {
    this.#parts = parts;
  }

  /** Whether it was not the minutes, but the silence that left nothing at the last count. */
  get isSilent(): boolean {
    return this.#isSilent;
  }

  /** The recording has grown by this. */
  push(pcm: Buffer): void {
    this.#parts.meter.push(pcm);
  }

  /**
   * Counts the speech so far. Silence fills the disk and occupies an engine, so with a limit it is limited, too.
   * @param samples the recording's length
   * @param at epoch ms of the last samples: usage counts for their month
   * @returns how many samples may follow; 0 or less: none. Infinity without a limit
   */
  async count(samples: number, at: number): Promise<number> {
    const spoken = this.#spoken(samples);
    const left = await this.#parts.spend(spoken, at);
    if (left === Number.POSITIVE_INFINITY) return left;
    const silenceLeft = (this.#parts.silenceMs / 1000) * pcmRate - (samples - spoken);
    this.#isSilent = silenceLeft <= 0 && left > 0;
    return Math.min(left, silenceLeft);
  }

  /** In samples: the voice in it, or the time with words if that is more; at most its length. */
  #spoken(samples: number): number {
    const seconds = this.#parts.recognized().reduce((sum, { start, end }) => sum + end - start, 0);
    return Math.min(samples, Math.max(this.#parts.meter.samples, Math.round(seconds * pcmRate)));
  }
}
