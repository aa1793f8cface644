import { Problem } from "#server/common/problem.ts";

/** A user's limit of concurrent work of one kind, over all tabs and devices. */
export interface Share {
  /** Part of the key. */
  name: string;
  atOnce: number;
  /** How many more may wait; further ones are refused. */
  waiting: number;
}

// Five ordinary tabs reach none of these: each has one or two event streams, two uploads and one request.

export const eventStreamShare: Share = { name: "event-streams", atOnce: 24, waiting: 0 };
/** More than the devices of one user. */
export const dictationShare: Share = { name: "dictations", atOnce: 8, waiting: 0 };
/** Request bodies with a file, or a part of one, in progress. */
export const uploadShare: Share = { name: "uploads", atOnce: 24, waiting: 0 };
/** Retranslating a conversation sends a request for each of its sentences. */
export const translationShare: Share = { name: "translations", atOnce: 4, waiting: 60 };
export const exportShare: Share = { name: "exports", atOnce: 2, waiting: 20 };
export const speechShare: Share = { name: "speech", atOnce: 4, waiting: 20 };

/** Retry-After, in seconds. */
const retryAfter = 5;

/** The slots of all users in this process, which also holds the work that occupies them. */
export interface Places {
  /**
   * Takes a slot.
   * @returns releases it; further calls do nothing
   * @throws Problem `tooManyAtOnce` when all are taken
   */
  take(share: Share, userId: string): () => void;
  /**
   * Runs something when a slot is free, in order of request.
   * @throws Problem `tooManyAtOnce` when too many are waiting; the signal's reason when its turn comes after the client has
   *   disconnected
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
      // The longest waiting one gets the slot; otherwise it is free.
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
