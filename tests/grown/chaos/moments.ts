import { setTimeout } from "node:timers/promises";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/** The kinds of actions. */
export const kinds = ["text", "upload", "upload in parts", "dictation", "conversation", "vault", "checkout", "post"] as const;
export type Kind = (typeof kinds)[number];

/** Number of recent durations from which the usual one is taken. */
const remembered = 15;
/** Time without progress in ms after which a wait fails. */
const stuckMs = timeLimit(180_000);
const lookMs = 5_000;
/** The assumed duration before the first action has ended, in ms. */
const firstGuessMs = 50;

/**
 * What happens during a chaos run. Kills depend on these events and not on the clock, because everything takes longer
 * on a busy machine.
 */
export class Moments {
  /** Number of acknowledged requests. */
  acknowledged = 0;
  /** Number of requests that ended without an answer. */
  unanswered = 0;
  /** Number of refused requests that may be tried again. */
  refused = 0;
  /** Whether the run is over. */
  isOver = false;
  /** Number of completely acknowledged actions by kind. */
  readonly finished = new Map<Kind, number>();
  readonly #underWay = new Map<Kind, number>();
  readonly #durations = new Map<Kind, number[]>();
  #changed = Promise.withResolvers<void>();

  /** The kinds of actions that are under way. */
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

  /** The median duration of recent requests of this kind, in ms. */
  usualMs(kind: Kind): number {
    const sorted = (this.#durations.get(kind) ?? []).toSorted((a, b) => a - b);
    return sorted[sorted.length >> 1] ?? firstGuessMs;
  }

  finish(kind: Kind): void {
    this.finished.set(kind, (this.finished.get(kind) ?? 0) + 1);
    this.changed();
  }

  /** Wakes up everybody who waits. */
  changed(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /**
   * Waits until the condition holds.
   * @param progress must change while the condition comes nearer
   * @throws Error when it has not changed for a long time
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
