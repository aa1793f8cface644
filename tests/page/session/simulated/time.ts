import { settled } from "#tests/machines/session/harness.ts";

/** Random numbers that are the same for the same seed (mulberry32). */
export interface Dice {
  /** From 0 inclusive to 1 exclusive. */
  next(): number;
  /** A whole number, both ends included. */
  between(low: number, high: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly [T, ...T[]]): T;
}

export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    chance: (share) => next() < share,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
  };
}

interface Timer {
  id: number;
  at: number;
  run(): void;
}

/** More timers than this at one moment count as a loop. */
const mostAtOnce = 1_000;

/** The server's first clock time (epoch ms). */
const beginning = Date.UTC(2026, 10, 20, 12);

/** Simulated time that jumps from timer to timer. Timers stand still while the computer sleeps. */
export class SimulatedTime {
  #elapsed = 0;
  #slept = 0;
  #lastId = 0;
  #atOnce = 0;
  /** Sorted; the next timer is the last one. */
  readonly #timers: Timer[] = [];
  readonly #cleared = new Set<number>();
  /** By how much the device's clock is ahead (ms). */
  skew = 0;

  /** Milliseconds in which the computer was awake. */
  get elapsed(): number {
    return this.#elapsed;
  }

  /** Epoch ms on the server's clock. */
  readonly serverNow = (): number => beginning + this.#elapsed + this.#slept;
  /** Epoch ms on the device's clock. */
  readonly deviceNow = (): number => this.serverNow() + this.skew;

  setTimeout(run: () => void, ms: number): number {
    this.#lastId += 1;
    const at = this.#elapsed + Math.max(0, ms);
    let [low, high] = [0, this.#timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#timers[middle]?.at ?? 0) > at) low = middle + 1;
      else high = middle;
    }
    this.#timers.splice(low, 0, { id: this.#lastId, at, run });
    return this.#lastId;
  }

  clearTimeout(id: number): void {
    this.#cleared.add(id);
  }

  after(ms: number): Promise<void> {
    return new Promise((resolve) => this.setTimeout(resolve, ms));
  }

  /** Like AbortSignal.timeout. */
  deadline(ms: number): AbortSignal {
    const controller = new AbortController();
    this.setTimeout(() => controller.abort(new DOMException("The operation timed out.", "TimeoutError")), ms);
    return controller.signal;
  }

  sleep(ms: number): void {
    this.#slept += ms;
  }

  /** Lets this much time pass and runs all timers that are due in it. */
  async pass(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settled();
    for (let timer = this.#take(end); timer !== undefined; timer = this.#take(end)) {
      this.#atOnce = timer.at === this.#elapsed ? this.#atOnce + 1 : 0;
      if (this.#atOnce > mostAtOnce) throw new Error(`Timers run in a loop at ${timer.at} ms: ${timer.run}`);
      this.#elapsed = timer.at;
      timer.run();
      await settled();
    }
    this.#elapsed = end;
    await settled();
  }

  #take(end: number): Timer | undefined {
    for (;;) {
      const next = this.#timers.at(-1);
      if (next === undefined || next.at > end) return undefined;
      this.#timers.pop();
      if (!this.#cleared.delete(next.id)) return next;
    }
  }
}
