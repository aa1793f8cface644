import { availableParallelism } from "node:os";

/** How all people share something (slots.ts). */
export interface QueueRules {
  /** Tasks at a time. */
  places: number;
  /** Tasks of one person at a time: fewer than all, so that the next person finds a place. */
  ofOne: number;
  /** Places that only short tasks have, of all places and of one person's. */
  forShort: number;
  /** Tasks of one person that may wait; a further one is refused. */
  waiting: number;
  /** A task that takes longer is ended (milliseconds). */
  timeoutMs: number;
}

const [second, minute] = [1_000, 60_000];
const cores = availableParallelism();
/** One for short tasks, one for anybody's long task, and one for another person's. */
const threads = Math.max(3, Math.min(4, cores));

/** A task of the threads with this limit or a smaller one is short (milliseconds). */
export const shortMs = 8 * second;

/** Every queue of what people share. The limits of one person's own work are in http/concurrency.ts. */
export const queues = {
  /** The limit includes the start of a thread; each task has a smaller one (threads.ts). */
  threads: { places: threads, ofOne: threads - 1, forShort: 1, waiting: 60, timeoutMs: minute },
  /** A task is a sentence. */
  voices: { places: Math.max(2, cores), ofOne: Math.max(1, cores - 1), forShort: 0, waiting: 20, timeoutMs: 90 * second },
  /** Each takes one of the four threads that Node has for files, compression and pictures, too. */
  passwords: { places: 2, ofOne: 1, forShort: 0, waiting: 60, timeoutMs: 20 * second },
  /** Each may need 200 MB. */
  pictures: { places: 2, ofOne: 1, forShort: 0, waiting: 10, timeoutMs: 20 * second },
  /** A task is some sentences for one engine, which may be another server. */
  translations: { places: 16, ofOne: 4, forShort: 0, waiting: 60, timeoutMs: 10 * minute },
  waveforms: { places: 2, ofOne: 1, forShort: 0, waiting: 1, timeoutMs: 60 * minute },
  /** Copies of a sound for browsers. */
  sounds: { places: 2, ofOne: 1, forShort: 0, waiting: 20, timeoutMs: 60 * minute },
} as const satisfies Record<string, QueueRules>;

/**
 * Rules without limits for one person, who may have all places while nobody else waits. For a process with one task at
 * a time, and for the pieces of jobs: what asks there has a limit of its own.
 */
export function inRotation(places: number): QueueRules {
  const { POSITIVE_INFINITY: unlimited } = Number;
  return { places, ofOne: places, forShort: 0, waiting: unlimited, timeoutMs: 60 * minute };
}
