import type { Stage } from "#contract/index.ts";

/** Fraction of the download in the whole progress, where the recording has to be downloaded. */
const fetchingFraction = 0.1;
/** The shares of the remaining work: decoding is quick, recognition takes nearly all of the time. */
const fractions = { decoding: 0.04, recognizing: 0.92, translating: 0.04 } as const;
/**
 * The start and end of speaker identification in the progress, after recognition: a third of that work with the usual
 * models.
 */
const diarizing = {
  from: fractions.decoding + fractions.recognizing * 0.7,
  to: fractions.decoding + fractions.recognizing,
} as const;

export interface ProgressNow {
  stage: Stage;
  /** 0 to 1 over the whole job. */
  fraction: number;
  /** Estimated from the speed of this run; null before the first measurement. */
  secondsLeft: number | null;
}

/** Tracks the progress of one run of a job. All amounts of audio in seconds. */
export class JobProgress {
  readonly #now: () => number;
  #stage: Stage = "waiting";
  #total = 0;
  #done = 0;
  #doneBefore = 0;
  #startedAt = 0;
  #measuredAt = 0;
  /** Fraction of the whole that comes before decoding. */
  #before = 0;
  /** The end of recognition (a fraction of the work after the download). */
  #recognizingEnds: number = diarizing.to;
  /** The job only identifies speakers. */
  #alone = false;

  /** @param now epoch milliseconds */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** The recording is being downloaded. */
  fetching(): void {
    this.#before = fetchingFraction;
    this.#begin("fetching", 0, 0);
  }

  /** @param total undefined while unknown; both in bytes */
  fetched(done: number, total: number | undefined): void {
    this.#total = total ?? 0;
    this.#done = done;
    this.#measuredAt = this.#now();
  }

  decoding(): void {
    this.#stage = "decoding";
  }

  /** @param done what an earlier run has finished */
  recognizing(total: number, done: number): void {
    this.#begin("recognizing", total, done);
  }

  /** Finding out who speaks; `finished` takes the fraction that is done. @param alone the job does nothing else */
  diarizing(alone: boolean): void {
    this.#alone = alone;
    this.#begin("diarizing", 1, 0);
  }

  /** Recognising will be followed by finding out who speaks, which takes its time. */
  willDiarize(): void {
    this.#recognizingEnds = diarizing.from;
  }

  /** @param total segments */
  translating(total: number, done: number): void {
    this.#begin("translating", total, done);
  }

  finished(amount: number): void {
    this.#done += amount;
    this.#measuredAt = this.#now();
  }

  current(): ProgressNow {
    const { stage, fraction, secondsLeft } = this.#ownPart();
    if (stage === "fetching") return { stage, fraction: fraction * this.#before, secondsLeft };
    return { stage, fraction: this.#before + fraction * (1 - this.#before), secondsLeft };
  }

  /** Without the fraction before decoding. */
  #ownPart(): ProgressNow {
    const part = this.#total === 0 ? 0 : Math.min(1, this.#done / this.#total);
    switch (this.#stage) {
      case "fetching":
        return { stage: this.#stage, fraction: part, secondsLeft: this.#total === 0 ? null : this.#secondsLeft() };
      case "recognizing":
        return {
          stage: this.#stage,
          fraction: between(fractions.decoding, this.#recognizingEnds, part),
          secondsLeft: this.#secondsLeft(),
        };
      case "diarizing":
        return {
          stage: this.#stage,
          fraction: this.#alone ? part : between(diarizing.from, diarizing.to, part),
          secondsLeft: this.#secondsLeft(),
        };
      case "translating":
        return {
          stage: this.#stage,
          fraction: fractions.decoding + fractions.recognizing + fractions.translating * part,
          secondsLeft: this.#secondsLeft(),
        };
      default:
        return { stage: this.#stage, fraction: 0, secondsLeft: null };
    }
  }

  #begin(stage: Stage, total: number, done: number): void {
    this.#stage = stage;
    this.#total = total;
    this.#done = done;
    this.#doneBefore = done;
    this.#startedAt = this.#now();
    this.#measuredAt = this.#startedAt;
  }

  #secondsLeft(): number | null {
    const done = this.#done - this.#doneBefore;
    const taken = (this.#measuredAt - this.#startedAt) / 1000;
    if (done <= 0 || taken <= 0) return null;
    const left = ((this.#total - this.#done) * taken) / done;
    // Time passes between two finished pieces.
    return Math.max(0, Math.round(left - (this.#now() - this.#measuredAt) / 1000));
  }
}

function between(from: number, to: number, part: number): number {
  return from + (to - from) * part;
}
