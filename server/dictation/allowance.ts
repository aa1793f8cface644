import { pcmRate } from "#server/speech/index.ts";

/** Asked for again after so much (samples): three seconds, less than is seen in minutes with one decimal. */
const stepSamples = 3 * pcmRate;
/** Taken after the limit: what was spoken before the page could know of it (samples; two seconds). */
const graceSamples = 2 * pcmRate;

/**
 * How much of a recording may still be taken. What has been taken is counted before more is allowed, for all connections of a person
 * together: several that speak at once are over the limit by three seconds each at most, and a crash forgets no more than that until
 * the recording is opened again.
 */
export class Allowance {
  readonly #spend: (samples: number) => Promise<number>;
  readonly #onReached: () => void;
  #granted = 0;
  #reached = false;

  /**
   * @param spend counts that the recording has so many samples now. @returns how many are left (subscription/usage.ts)
   * @param onReached is called once, when nothing is left
   */
  constructor(spend: (samples: number) => Promise<number>, onReached: () => void) {
    this.#spend = spend;
    this.#onReached = onReached;
  }

  /** @returns whether another frame may be taken behind so many samples */
  async admits(samples: number): Promise<boolean> {
    if (samples < this.#granted) return true;
    const left = await this.#spend(samples);
    if (left <= 0 && !this.#reached) {
      this.#reached = true;
      this.#onReached();
    }
    this.#granted = samples + Math.min(stepSamples, left > 0 ? left : left + graceSamples);
    return samples < this.#granted;
  }
}
