import { Problem } from "#server/errors/problem.ts";
import type { QueueRules } from "./queues.ts";

/** The claimant of work that is done for no particular user. */
export const theServer = "the server";

/** The claimant of a slot, and the kind of task. */
export interface Claimant {
  /** The account's id; for a visitor without one, the network. */
  person: string;
  /** Whether the task precedes all others. */
  isUrgent?: boolean;
  /** Whether the task may use a slot reserved for short tasks. */
  isShort?: boolean;
  /** Whether the task is never refused, as a step of a job: the number of a user's jobs is limited elsewhere. */
  isPatient?: boolean;
}

interface Waiting {
  claimant: Claimant;
  begin(): void;
}

/** A user's slots. */
interface PersonSlots {
  used: number;
  /** Slots with a task that is not short. */
  long: number;
  waiting: number;
  /** Time for which the user has had slots (milliseconds), as of `spentAt`; a minute halves it. */
  spent: number;
  spentAt: number;
  /** Number of slots given to anybody when the user was last given one. */
  servedAt: number;
}

/** Retry-After, in seconds. */
const retryAfter = 5;

/** Half-life of the time that a user has had slots (milliseconds). */
const halfLifeMs = 60_000;

/**
 * A fair semaphore of this process. The next user is the one with the fewest slots; among equals, the one who has
 * recently used slots for the least time (in seconds); then the one who was served longest ago. Tasks of one user begin
 * in order. So no user waits behind another user's many tasks, and occasional users do not wait behind constant ones.
 */
export class Slots {
  readonly #rules: QueueRules;
  #used = 0;
  #long = 0;
  #given = 0;
  readonly #waiting: Waiting[] = [];
  readonly #people = new Map<string, PersonSlots>();

  constructor(rules: QueueRules) {
    this.#rules = rules;
  }

  /**
   * Runs `work` when a slot is free.
   * @param work its signal is aborted with the caller's, and when the work takes too long (Problem `tooLarge`)
   * @throws Problem `tooManyAtOnce` when too many tasks of this user wait; the signal's reason when aborted before
   *   the work
   */
  async run<Result>(signal: AbortSignal, work: (signal: AbortSignal) => Promise<Result>, claimant: Claimant): Promise<Result> {
    signal.throwIfAborted();
    if (this.#mayBegin(claimant)) this.#take(claimant);
    else await this.#wait(signal, claimant);
    const begun = performance.now();
    const late = new AbortController();
    const { timeoutMs } = this.#rules;
    const timer = setTimeout(() => late.abort(new Problem("tooLarge", "This took too long.")), timeoutMs).unref();
    try {
      // The caller may abort between getting the slot and starting the work.
      signal.throwIfAborted();
      return await work(AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
      this.#spend(claimant.person, performance.now() - begun);
      this.#giveBack(claimant);
    }
  }

  async #wait(signal: AbortSignal, claimant: Claimant): Promise<void> {
    const own = this.#slotsOf(claimant.person);
    if (own.waiting >= this.#rules.waiting && claimant.isPatient !== true)
      throw new Problem("tooManyAtOnce", undefined, { retryAfter });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = () => {
      this.#leave(waiting);
      reject(signal.reason);
    };
    const begin = () => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    const waiting = { claimant, begin };
    own.waiting += 1;
    this.#waiting.push(waiting);
    signal.addEventListener("abort", stop, { once: true });
    await promise;
  }

  #leave(waiting: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
    this.#slotsOf(waiting.claimant.person).waiting -= 1;
    this.#forget();
  }

  #take({ person, isShort = false }: Claimant): void {
    const own = this.#slotsOf(person);
    this.#given += 1;
    this.#used += 1;
    own.used += 1;
    own.servedAt = this.#given;
    if (isShort) return;
    this.#long += 1;
    own.long += 1;
  }

  #spend(person: string, ms: number): void {
    const own = this.#slotsOf(person);
    own.spent = lately(own) + ms;
    own.spentAt = performance.now();
  }

  #giveBack({ person, isShort = false }: Claimant): void {
    const own = this.#slotsOf(person);
    this.#used -= 1;
    own.used -= 1;
    if (!isShort) {
      this.#long -= 1;
      own.long -= 1;
    }
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      this.#take(next.claimant);
      this.#leave(next);
      next.begin();
    }
    this.#forget();
  }

  /** Removes users without slots while nobody waits, when the order of service does not matter. */
  #forget(): void {
    if (this.#waiting.length > 0) return;
    for (const [person, { used }] of this.#people) if (used === 0) this.#people.delete(person);
  }

  #slotsOf(person: string): PersonSlots {
    const slots = this.#people.get(person) ?? { used: 0, long: 0, waiting: 0, spent: 0, spentAt: 0, servedAt: 0 };
    this.#people.set(person, slots);
    return slots;
  }

  #mayBegin({ person, isShort = false }: Claimant): boolean {
    const { places, ofOne, forShort } = this.#rules;
    const own = this.#slotsOf(person);
    if (this.#used >= places || own.used >= ofOne) return false;
    return isShort || (this.#long < places - forShort && own.long < ofOne - forShort);
  }

  #next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const one of this.#waiting) {
      if (this.#mayBegin(one.claimant) && (best === undefined || this.#isBefore(one.claimant, best.claimant))) best = one;
    }
    return best;
  }

  #isBefore(one: Claimant, other: Claimant): boolean {
    const [isUrgent, isOtherUrgent] = [one.isUrgent === true, other.isUrgent === true];
    if (isUrgent !== isOtherUrgent) return isUrgent;
    const [own, others] = [this.#slotsOf(one.person), this.#slotsOf(other.person)];
    if (own.used !== others.used) return own.used < others.used;
    const [seconds, otherSeconds] = [own, others].map((slots) => Math.floor(lately(slots) / 1_000));
    return seconds === otherSeconds ? own.servedAt < others.servedAt : (seconds ?? 0) < (otherSeconds ?? 0);
  }
}

/** Time for which a user has had slots (milliseconds), with decay. */
function lately({ spent, spentAt }: PersonSlots): number {
  return spent === 0 ? 0 : spent * 0.5 ** ((performance.now() - spentAt) / halfLifeMs);
}
