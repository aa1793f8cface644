import TinyQueue from "tinyqueue";

/** A job: one person's file. */
export interface Arrival {
  /** Seconds since the start; in ascending order. */
  at: number;
  person: number;
  /** The seconds for which it occupies one place of a worker. */
  seconds: number;
}

/**
 * "turns": start-time fair queueing, as in server/jobs/fairness-queries.ts; "arrival": in order of arrival, for
 * comparison.
 */
export type Policy = "turns" | "arrival";

export interface Workers {
  /** Jobs that run at the same time, over all workers. */
  places: number;
  /** The places including those only for people without a running job (server/jobs/worker.ts). Default: `places`. */
  placesAtMost?: number;
  policy?: Policy;
}

export interface Outcome {
  /** Seconds from arrival to start, in the order of the arrivals. */
  waited: Float64Array;
  /** Share of the places' time that was used until the last job ended. */
  utilisation: number;
}

interface Waiting {
  index: number;
  person: number;
  turn: number;
}

/** A person's unfinished jobs. */
interface Person {
  unfinished: number;
  running: number;
  lastTurn: number;
}

class Queue {
  readonly #waiting = new TinyQueue<Waiting>([], (a, b) => a.turn - b.turn || a.index - b.index);
  readonly #people = new Map<number, Person>();
  /**
   * The turns of running jobs: the number of jobs of each turn, and a heap with the latest turn first, which may have
   * finished ones.
   */
  readonly #served = new Map<number, number>();
  readonly #latest = new TinyQueue<number>([], (a, b) => b - a);
  readonly #policy: Policy;

  constructor(policy: Policy) {
    this.#policy = policy;
  }

  add(index: number, person: number): void {
    const known = this.#people.get(person) ?? { unfinished: 0, running: 0, lastTurn: -1 };
    const turn = this.#policy === "arrival" ? 0 : Math.max(this.#round(), known.lastTurn + 1);
    this.#people.set(person, { ...known, unfinished: known.unfinished + 1, lastTurn: turn });
    this.#waiting.push({ index, person, turn });
  }

  /**
   * Takes the next job, which then counts as running.
   * @param onlyNewcomers takes only jobs of people without a running job
   */
  take(onlyNewcomers: boolean): Waiting | undefined {
    const passed: Waiting[] = [];
    let taken = this.#waiting.pop();
    while (onlyNewcomers && taken !== undefined && (this.#people.get(taken.person)?.running ?? 0) > 0) {
      passed.push(taken);
      taken = this.#waiting.pop();
    }
    for (const one of passed) this.#waiting.push(one);
    if (taken === undefined) return undefined;
    const person = this.#people.get(taken.person);
    if (person !== undefined) person.running += 1;
    const beside = this.#served.get(taken.turn) ?? 0;
    this.#served.set(taken.turn, beside + 1);
    if (beside === 0) this.#latest.push(taken.turn);
    return taken;
  }

  ended({ person: id, turn }: Waiting): void {
    const left = (this.#served.get(turn) ?? 1) - 1;
    if (left === 0) this.#served.delete(turn);
    else this.#served.set(turn, left);
    const person = this.#people.get(id);
    if (person === undefined) return;
    person.running -= 1;
    person.unfinished -= 1;
    if (person.unfinished === 0) this.#people.delete(id);
  }

  /** The current turn. */
  #round(): number {
    for (let turn = this.#latest.peek(); turn !== undefined; turn = this.#latest.peek()) {
      if (this.#served.has(turn)) return turn;
      this.#latest.pop();
    }
    return this.#waiting.peek()?.turn ?? 0;
  }
}

/** Simulates the workers. */
export function simulate(arrivals: readonly Arrival[], { places, placesAtMost = places, policy = "turns" }: Workers): Outcome {
  const waited = new Float64Array(arrivals.length);
  const queue = new Queue(policy);
  const endings = new TinyQueue<{ at: number; job: Waiting }>([], (a, b) => a.at - b.at);
  let busy = 0;
  let now = 0;
  const start = () => {
    while (endings.length < placesAtMost) {
      const job = queue.take(endings.length >= places);
      const arrival = arrivals[job?.index ?? -1];
      if (job === undefined || arrival === undefined) return;
      waited[job.index] = now - arrival.at;
      busy += arrival.seconds;
      endings.push({ at: now + arrival.seconds, job });
    }
  };
  for (let next = 0; ; start()) {
    const arrival = arrivals[next];
    const ending = endings.peek();
    if (arrival === undefined && ending === undefined) break;
    if (ending === undefined || (arrival !== undefined && arrival.at < ending.at)) {
      now = arrival?.at ?? now;
      queue.add(next, arrival?.person ?? 0);
      next += 1;
    } else {
      endings.pop();
      now = ending.at;
      queue.ended(ending.job);
    }
  }
  return { waited, utilisation: now === 0 ? 0 : busy / (places * now) };
}
