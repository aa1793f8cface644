import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Bus } from "#server/bus/bus.ts";
import type { Claims } from "#server/cluster/claims.ts";
import { Problem } from "#server/errors/problem.ts";

/**
 * A user's limit of concurrent work of one kind, over all tabs, devices and processes. The limit of all users together:
 * threads/slots.ts.
 */
export interface ConcurrencyLimit {
  /** Part of the key. */
  name: string;
  atOnce: number;
  /** The maximum number of waiting tasks; further ones are refused. */
  waiting: number;
}

// Five ordinary tabs reach none of these: each has one or two event streams, two uploads and one request.

export const eventStreamConcurrency: ConcurrencyLimit = { name: "event-streams", atOnce: 24, waiting: 0 };
/** More than the devices of one user. */
export const dictationConcurrency: ConcurrencyLimit = { name: "dictations", atOnce: 8, waiting: 0 };
/** Request bodies with a file, or a part of one, in progress. */
export const uploadConcurrency: ConcurrencyLimit = { name: "uploads", atOnce: 24, waiting: 0 };
/** Retranslating a conversation sends a request for each of its sentences. */
export const translationConcurrency: ConcurrencyLimit = { name: "translations", atOnce: 4, waiting: 60 };
/** A transcript that is prepared for the visitors of one link. */
export const visitorConcurrency: ConcurrencyLimit = { name: "shared", atOnce: 4, waiting: 60 };
/**
 * Large bodies, until they are answered: only these are read. More than one, so a slow body does not hold up other
 * tabs.
 */
export const bodyConcurrency: ConcurrencyLimit = { name: "bodies", atOnce: 3, waiting: 60 };
export const exportConcurrency: ConcurrencyLimit = { name: "exports", atOnce: 2, waiting: 20 };
export const speechConcurrency: ConcurrencyLimit = { name: "speech", atOnce: 4, waiting: 20 };
/** Posts that a language model writes for one superuser. */
export const generationConcurrency: ConcurrencyLimit = { name: "generations", atOnce: 1, waiting: 0 };
/**
 * A language model's work on a person's transcripts: a person who stops one and starts another waits until the first
 * has ended.
 */
export const insightConcurrency: ConcurrencyLimit = { name: "insights", atOnce: 1, waiting: 2 };

/** Searches in all transcripts. */
export const searchConcurrency: ConcurrencyLimit = { name: "searches", atOnce: 2, waiting: 10 };
/** Feeds that are read before they are followed, from servers that may hang. */
export const feedConcurrency: ConcurrencyLimit = { name: "feeds", atOnce: 2, waiting: 4 };

/** Retry-After, in seconds. */
const retryAfter = 5;

/** The ms between attempts to get a slot, in case the message of its release is lost. */
const retryMs = 1_000;

/** The slots of all users, over all processes. */
export interface Concurrency {
  /**
   * Takes a slot.
   * @returns releases it; further calls do nothing
   * @throws Problem `tooManyAtOnce` when all are taken
   */
  take(limit: ConcurrencyLimit, userId: string): Promise<() => void>;
  /**
   * Runs a task when a slot is free, in order of request (in this process).
   * @throws Problem `tooManyAtOnce` if too many are waiting here; the signal's reason if the client has disconnected
   *   when its turn comes
   */
  run<Result>(limit: ConcurrencyLimit, userId: string, signal: AbortSignal, task: () => Promise<Result>): Promise<Result>;
}

type Waiting = { goOn(): void };

export function createConcurrency({ claims, bus }: { claims: Claims; bus: Bus }): Concurrency {
  /** The oldest first. */
  const queues = new Map<string, Waiting[]>();
  bus.subscribe("slots.released", (key) => {
    for (const queue of key === undefined ? queues.values() : [queues.get(key)]) queue?.[0]?.goOn();
  });
  const take = async ({ atOnce }: ConcurrencyLimit, key: string) => {
    const giveBack = await claims.take(key, 1, atOnce);
    if (giveBack === undefined) return undefined;
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      void giveBack().then(() => bus.publish("slots.released", key));
    };
  };
  const wait = async (limit: ConcurrencyLimit, key: string, signal: AbortSignal) => {
    const queue = queues.get(key) ?? [];
    if (queue.length >= limit.waiting) throw tooMany();
    queues.set(key, queue);
    const own: Waiting = { goOn: () => {} };
    queue.push(own);
    try {
      for (;;) {
        // Before it is tried: a release in between must not go unheard.
        const released = new Promise<void>((resolve) => {
          own.goOn = resolve;
        });
        const done = queue[0] === own ? await take(limit, key) : undefined;
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
    take: async (limit, userId) => {
      const done = await take(limit, keyOf(limit, userId));
      if (done === undefined) throw tooMany();
      return done;
    },
    run: async (limit, userId, signal, task) => {
      const key = keyOf(limit, userId);
      const done = (queues.has(key) ? undefined : await take(limit, key)) ?? (await wait(limit, key, signal));
      try {
        signal.throwIfAborted();
        return await task();
      } finally {
        done();
      }
    },
  };
}

const tooMany = () => new Problem("tooManyAtOnce", undefined, { retryAfter });

/** A hash: it goes over the bus. */
function keyOf(limit: ConcurrencyLimit, userId: string): string {
  return createHash("sha256").update(`${limit.name}/${userId}`).digest("hex");
}
