import { setTimeout } from "node:timers/promises";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/** What people do. */
export const kinds = ["text", "upload", "upload in parts", "dictation", "conversation", "vault", "checkout", "post"] as const;
export type Kind = (typeof kinds)[number];

/** How many of the last durations say what is usual. */
const remembered = 15;
/** What has not come nearer for this long never will (milliseconds). */
const stuckMs = timeLimit(180_000);
const lookMs = 5_000;
/** Before the first has ended (milliseconds). */
const firstGuessMs = 50;

/**
 * What goes on in a chaos. Whoever kills goes by this and not by the clock: on a machine that is busy everything takes longer, and so do
 * the rounds.
 */
export class Moments {
  /** Requests that were acknowledged. */
  acknowledged = 0;
  /** Requests that ended without an answer. */
  unanswered = 0;
  /** Requests that were refused in words, to be tried again. */
  refused = 0;
  /** Nobody needs to go on. */
  isOver = false;
  /** Pieces of work that were acknowledged as a whole. */
  readonly finished = new Map<Kind, number>();
  readonly #underWay = new Map<Kind, number>();
  readonly #durations = new Map<Kind, number[]>();
  #changed = Promise.withResolvers<void>();

  /** What is being done. */
  get underWay(): Kind[] {
    return kinds.filter((kind) => (this.#underWay.get(kind) ?? 0) > 0);
  }

  /** Runs a request. */
  async during<T>(kind: Kind, ask: () => Promise<T>): Promise<T> {
    const from = performance.now();
    this.#count(kind, 1);
    try {
      const answer = await ask();
      const durations = this.#durations.get(kind) ?? [];
      this.#durations.set(kind, [...durations, performance.now() - from].slice(-remembered));
      this.acknowledged += 1;
      return answer;
    } finally {
      this.#count(kind, -1);
    }
  }

  /** How long such a request takes here and now: the median of the last ones (milliseconds). */
  usualMs(kind: Kind): number {
    const sorted = (this.#durations.get(kind) ?? []).toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? firstGuessMs;
  }

  finish(kind: Kind): void {
    this.finished.set(kind, (this.finished.get(kind) ?? 0) + 1);
    this.changed();
  }

  /** Something has happened: whoever waits looks again. */
  changed(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /**
   * Waits.
   * @param progress grows while it comes nearer
   * @throws Error when it has not for a long time
   */
  async until(holds: () => boolean, progress: () => number): Promise<void> {
    let [last, since] = [progress(), performance.now()];
    while (!holds()) {
      const timer = new AbortController();
      await Promise.race([this.#changed.promise, setTimeout(lookMs, undefined, { signal: timer.signal }).catch(() => {})]);
      timer.abort();
      if (progress() !== last) [last, since] = [progress(), performance.now()];
      else if (performance.now() - since > stuckMs) {
        throw new Error(`nothing has come nearer in ${stuckMs / 1_000} s, waiting until`);
      }
    }
  }

  #count(kind: Kind, by: number): void {
    this.#underWay.set(kind, (this.#underWay.get(kind) ?? 0) + by);
    this.changed();
  }
}
