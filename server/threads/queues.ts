import { availableParallelism } from "node:os";

/** Rules for sharing a resource among users (slots.ts). */
export interface QueueRules {
  /** Concurrent tasks. */
  places: number;
  /** Concurrent tasks of one user: fewer than all, so that the next user finds a slot. */
  ofOne: number;
  /** Slots reserved for short tasks, of all slots and of one user's. */
  forShort: number;
  /** Waiting tasks of one user; a further one is refused. */
  waiting: number;
  /** A longer task is ended (milliseconds). */
  timeoutMs: number;
}

const [second, minute] = [1_000, 60_000];
const cores = availableParallelism();
/** One thread for short tasks, one for a long task, and one for another user's long task. */
const threads = Math.max(3, Math.min(4, cores));

/** A task with this limit or a smaller one is short (milliseconds). */
export const shortMs = 8 * second;

/** All queues shared by users. The limits of one user's own work are in http/concurrency.ts. */
export const queues = {
  /** The limit includes the start of a thread; each task has a smaller limit of its own (threads.ts). */
  threads: { places: threads, ofOne: threads - 1, forShort: 1, waiting: 60, timeoutMs: minute },
  /** A task is a sentence. */
  voices: { places: Math.max(2, cores), ofOne: Math.max(1, cores - 1), forShort: 0, waiting: 20, timeoutMs: 90 * second },
  /** Each takes one of Node's four threads, which also serve files, compression and pictures. */
  passwords: { places: 2, ofOne: 1, forShort: 0, waiting: 60, timeoutMs: 20 * second },
  /** Each may need 200 MB. */
  pictures: { places: 2, ofOne: 1, forShort: 0, waiting: 10, timeoutMs: 20 * second },
  /** A task is a few sentences for one engine, which may be another server. */
  translations: { places: 16, ofOne: 4, forShort: 0, waiting: 60, timeoutMs: 10 * minute },
  waveforms: { places: 2, ofOne: 1, forShort: 0, waiting: 1, timeoutMs: 60 * minute },
  /** Copies of a sound track for browsers. */
  sounds: { places: 2, ofOne: 1, forShort: 0, waiting: 20, timeoutMs: 60 * minute },
} as const satisfies Record<string, QueueRules>;

/**
 * Rules without limits for one user, who may take all slots while nobody else waits. For a process with one task at a
 * time, and for the pieces of jobs: their callers have limits of their own.
 */
export function inRotation(places: number): QueueRules {
  const { POSITIVE_INFINITY: unlimited } = Number;
  return { places, ofOne: places, forShort: 0, waiting: unlimited, timeoutMs: 60 * minute };
}
