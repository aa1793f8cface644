import { pcmRate } from "#speech/bytes.ts";

/** The limit is checked every so many samples: three seconds, less than minutes with one decimal show. */
const stepSamples = 3 * pcmRate;
/** Accepted samples beyond the limit (two seconds): speech from before the page could know about the limit. */
const graceSamples = 2 * pcmRate;

/**
 * How much of a recording may still be accepted. Usage is counted before more is allowed, over all connections of a
 * user: concurrent ones exceed the limit by three seconds each at most, and after a crash no more than that is
 * uncounted until the recording is reopened.
 */
export class Allowance {
  readonly #spend: () => Promise<number>;
  readonly #onReached: () => void;
  #granted = 0;
  #reached = false;

  /**
   * @param spend counts the recording's speech so far.
   * @returns how many samples may follow; 0 or less: none
   * @param onReached called once, when nothing is left
   */
  constructor(spend: () => Promise<number>, onReached: () => void) {
    this.#spend = spend;
    this.#onReached = onReached;
  }

  /** @returns whether another frame may be accepted after this many samples */
  async admits(samples: number): Promise<boolean> {
    if (samples < this.#granted) return true;
    const left = await this.#spend();
    if (left <= 0 && !this.#reached) {
      this.#reached = true;
      this.#onReached();
    }
    this.#granted = samples + Math.min(stepSamples, left > 0 ? left : left + graceSamples);
    return samples < this.#granted;
  }
}
