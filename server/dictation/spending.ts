import type { Segment } from "#contract/index.ts";
import type { SpokenMeter } from "#server/speech/index.ts";
import { pcmRate } from "#speech/bytes.ts";

interface SpendingParts {
  /** Has recognized the whole recording so far. */
  meter: SpokenMeter;
  /** How much silence one recording of somebody with a limit may hold (milliseconds). */
  silenceMs: number;
  /** What an engine here has recognized; none of what only a page says that it has recognized. */
  recognized(): readonly Pick<Segment, "start" | "end">[];
  /** @returns how many samples remain of the user's minutes (subscription/usage.ts: `spend`) */
  spend(spoken: number, at: number): Promise<number>;
}

/** Counts what is spoken in a recording while it grows: silence costs no minutes. */
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
   * Counts what is spoken so far. Silence fills the disk and keeps an engine: with a limit there is an end of it, too.
   * @param samples the recording's length
   * @param at when the last of them arrived, epoch ms: usage counts for its month
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

  /** In samples: the voice in it, or what has words, if that is more; never more than its length. */
  #spoken(samples: number): number {
    const seconds = this.#parts.recognized().reduce((sum, { start, end }) => sum + end - start, 0);
    return Math.min(samples, Math.max(this.#parts.meter.samples, Math.round(seconds * pcmRate)));
  }
}
