import { Problem } from "#server/common/problem.ts";

/** How much of one kind a person may have going on at once, in all tabs and on all devices together. */
export interface Share {
  /** Part of the key. */
  name: string;
  atOnce: number;
  /** How many more wait for their turn; who comes after them is sent away. */
  waiting: number;
}

// Five ordinary tabs meet none of them: each has one or two event streams, two files on their way, and one thing that it asks for.

export const eventStreamShare: Share = { name: "event-streams", atOnce: 24, waiting: 0 };
/** More than there are devices to speak into. */
export const dictationShare: Share = { name: "dictations", atOnce: 8, waiting: 0 };
/** Bodies with a file, or a part of one, that are on their way. */
export const uploadShare: Share = { name: "uploads", atOnce: 24, waiting: 0 };
/** A conversation that is translated anew asks for each of its sentences. */
export const translationShare: Share = { name: "translations", atOnce: 4, waiting: 60 };
export const exportShare: Share = { name: "exports", atOnce: 2, waiting: 20 };
export const speechShare: Share = { name: "speech", atOnce: 4, waiting: 20 };

/** Seconds after which a place may be free again. */
const retryAfter = 5;

/** The places of all persons in this process: what they are taken for is held by the process that has it going on. */
export interface Places {
  /**
   * Takes a place.
   * @returns gives it back; a second call does nothing
   * @throws Problem `tooManyAtOnce` when all are taken
   */
  take(share: Share, userId: string): () => void;
  /**
   * Does something when a place is free, in the order of asking.
   * @throws Problem `tooManyAtOnce` when too many wait already; the signal's reason when its turn comes after the caller has gone
   */
  run<Result>(share: Share, userId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

interface Taken {
  count: number;
  waiting: (() => void)[];
}

export function createPlaces(): Places {
  const byKey = new Map<string, Taken>();
  const tooMany = () => new Problem("tooManyAtOnce", undefined, { retryAfter });
  const takenOf = (key: string): Taken => {
    const known = byKey.get(key) ?? { count: 0, waiting: [] };
    byKey.set(key, known);
    return known;
  };
  const giveBack = (key: string, taken: Taken) => {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      // Who waits longest has it; else it is free.
      const next = taken.waiting.shift();
      if (next !== undefined) return next();
      taken.count -= 1;
      if (taken.count === 0) byKey.delete(key);
    };
  };
  const keyOf = (share: Share, userId: string) => `${share.name}/${userId}`;
  return {
    take: (share, userId) => {
      const key = keyOf(share, userId);
      if ((byKey.get(key)?.count ?? 0) >= share.atOnce) throw tooMany();
      const taken = takenOf(key);
      taken.count += 1;
      return giveBack(key, taken);
    },
    run: async (share, userId, signal, work) => {
      const key = keyOf(share, userId);
      const taken = takenOf(key);
      if (taken.count < share.atOnce) taken.count += 1;
      else if (taken.waiting.length >= share.waiting) throw tooMany();
      else await new Promise<void>((resolve) => taken.waiting.push(resolve));
      const done = giveBack(key, taken);
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        done();
      }
    },
  };
}
