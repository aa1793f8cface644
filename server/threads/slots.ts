/** What the server does for nobody in particular. */
export const theServer = "the server";

/** Who waits for a slot, and whether that goes before all others. */
export interface Claimant {
  /** The account; of a visitor without one, the network. */
  person: string;
  isUrgent?: boolean;
}

interface Waiting {
  person: string;
  isUrgent: boolean;
  begin(): void;
}

/** What a person has of the slots. */
interface PersonSlots {
  used: number;
  /** When it was last given one: the count of slots given until then. */
  servedAt: number;
}

/**
 * A fair semaphore: next is the person with the fewest slots, of those the one that was served longest ago, and of that person's what
 * has waited longest. So a short job is not stuck behind a long one, nor one person behind another's many.
 */
export class Slots {
  #free: number;
  #given = 0;
  #waiting: Waiting[] = [];
  readonly #people = new Map<string, PersonSlots>();

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs `work` when a slot is free. An aborted wait rejects with the signal's reason when its turn comes. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>, claimant: Claimant): Promise<Result> {
    const { person, isUrgent = false } = claimant;
    if (this.#free > 0) {
      this.#free--;
      this.#give(person);
    } else await new Promise<void>((begin) => this.#waiting.push({ person, isUrgent, begin }));
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      this.#slotsOf(person).used -= 1;
      const next = this.#next();
      if (next === undefined) this.#free++;
      else {
        this.#waiting.splice(this.#waiting.indexOf(next), 1);
        this.#give(next.person);
        next.begin();
      }
      // Nobody waits: who was served when no longer matters.
      if (this.#waiting.length === 0) for (const [one, { used }] of this.#people) if (used === 0) this.#people.delete(one);
    }
  }

  #give(person: string): void {
    this.#given += 1;
    const slots = this.#slotsOf(person);
    slots.used += 1;
    slots.servedAt = this.#given;
  }

  #slotsOf(person: string): PersonSlots {
    const slots = this.#people.get(person) ?? { used: 0, servedAt: 0 };
    this.#people.set(person, slots);
    return slots;
  }

  #next(): Waiting | undefined {
    let best: Waiting | undefined;
    for (const one of this.#waiting) if (best === undefined || this.#isBefore(one, best)) best = one;
    return best;
  }

  #isBefore(one: Waiting, other: Waiting): boolean {
    if (one.isUrgent !== other.isUrgent) return one.isUrgent;
    const [own, others] = [this.#slotsOf(one.person), this.#slotsOf(other.person)];
    return own.used === others.used ? own.servedAt < others.servedAt : own.used < others.used;
  }
}
