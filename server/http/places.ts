import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "#server/bus/bus.ts";
import type { Claims } from "#server/cluster/claims.ts";
import { Problem } from "#server/errors/problem.ts";

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
/** A transcript that is prepared for the visitors of one link. */
export const sharedShare: Share = { name: "shared", atOnce: 4, waiting: 60 };
export const exportShare: Share = { name: "exports", atOnce: 2, waiting: 20 };
export const speechShare: Share = { name: "speech", atOnce: 4, waiting: 20 };
/** Posts that a language model writes for one superuser. */
export const generationShare: Share = { name: "generations", atOnce: 1, waiting: 0 };
/** What a language model makes of a person's transcripts: who stops one and begins another waits until the first has ended. */
export const insightShare: Share = { name: "insights", atOnce: 1, waiting: 2 };

/** Searches in everything that was said. */
export const searchShare: Share = { name: "searches", atOnce: 2, waiting: 10 };
/** Feeds that are read before they are followed, from servers that may hang. */
export const feedShare: Share = { name: "feeds", atOnce: 2, waiting: 4 };

/** Retry-After, in seconds. */
const retryAfter = 5;

/** How often a place is tried again, should its release not be heard (milliseconds). */
const retryMs = 1_000;

/** The slots of all users, over all processes. */
export interface Places {
  /**
   * Takes a slot.
   * @returns releases it; further calls do nothing
   * @throws Problem `tooManyAtOnce` when all are taken
   */
  take(share: Share, userId: string): Promise<() => void>;
  /**
   * Runs something when a slot is free, in order of request (of this process).
   * @throws Problem `tooManyAtOnce` when too many are waiting here; the signal's reason when its turn comes after the client has
   *   disconnected
   */
  run<Result>(share: Share, userId: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

type Waiting = { goOn(): void };

export function createPlaces({ claims, bus }: { claims: Claims; bus: Bus }): Places {
  /** The oldest first. */
  const queues = new Map<string, Waiting[]>();
  bus.subscribe("places.released", (key) => {
    for (const queue of key === undefined ? queues.values() : [queues.get(key)]) queue?.[0]?.goOn();
  });
  const take = async ({ atOnce }: Share, key: string) => {
    const giveBack = await claims.take(key, 1, atOnce);
    if (giveBack === undefined) return undefined;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      void giveBack().then(() => bus.publish("places.released", key));
    };
  };
  const wait = async (share: Share, key: string, signal: AbortSignal) => {
    const queue = queues.get(key) ?? [];
    if (queue.length >= share.waiting) throw tooMany();
    queues.set(key, queue);
    const own: Waiting = { goOn: () => {} };
    queue.push(own);
    try {
      for (;;) {
        // Before it is tried: a release in between must not go unheard.
        const released = new Promise<void>((resolve) => {
          own.goOn = resolve;
        });
        const done = queue[0] === own ? await take(share, key) : undefined;
        if (done !== undefined) return done;
        await Promise.race([released, delay(retryMs, undefined, { ref: false })]);
        signal.throwIfAborted();
      }
    } finally {
      queue.splice(queue.indexOf(own), 1);
      if (queue.length === 0) queues.delete(key);
      queue[0]?.goOn();
    }
  };
  return {
    take: async (share, userId) => {
      const done = await take(share, keyOf(share, userId));
      if (done === undefined) throw tooMany();
      return done;
    },
    run: async (share, userId, signal, work) => {
      const key = keyOf(share, userId);
      const done = (queues.has(key) ? undefined : await take(share, key)) ?? (await wait(share, key, signal));
      try {
        signal.throwIfAborted();
        return await work();
      } finally {
        done();
      }
    },
  };
}

const tooMany = () => new Problem("tooManyAtOnce", undefined, { retryAfter });

/** A hash: it goes over the bus. */
function keyOf(share: Share, userId: string): string {
  return createHash("sha256").update(`${share.name}/${userId}`).digest("hex");
}
