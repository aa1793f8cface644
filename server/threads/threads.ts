import { machineMemory } from "./budget.ts";
import { openPool } from "./pool.ts";
import { queues, shortMs } from "./queues.ts";
import type { ThreadTasks } from "./serve.ts";
import type { Claimant } from "./slots.ts";

/**
 * Smaller inputs (characters of text, bytes of bodies) take a few milliseconds, which is less than the cost of a
 * thread.
 */
const smallInput = 16 * 1024;
/** Inputs up to this size (characters, bytes) are short tasks. */
const shortInput = 1024 * 1024;
/** Default limit (milliseconds). On an idle machine, the largest transcript takes a few seconds. */
const longMs = 30_000;
/**
 * Memory per thread (MiB). All threads together may take a quarter of the machine's memory. The minimum is enough for
 * the largest transcript, which takes 35 MB.
 */
const memoryMb = Math.round(Math.max(256, Math.min(512, machineMemory() / 2 ** 22 / queues.threads.places)));
const idleMs = 60_000;

/** A function that the threads were opened with. */
type Task<Input, Output> = (input: Input) => Output | Promise<Output>;

/** The task's claimant, size and limit. */
interface TaskOptions extends Claimant {
  /**
   * Approximate size of the input (characters, bytes). Small inputs are processed in the calling thread. Default:
   * large.
   */
  size?: number;
  /**
   * A task that computes for longer is ended (milliseconds). With `shortMs` (queues.ts) or less, a task of any size is
   * short.
   */
  timeoutMs?: number;
}

/**
 * Runs tasks in threads that would block the event loop. Users share the threads (slots.ts), and one thread is reserved
 * for short tasks.
 */
export interface Threads {
  /** @throws Problem: the function's own; `tooLarge` when it takes too long or too much memory; `tooManyAtOnce` */
  run<Input, Output>(task: Task<Input, Output>, input: Input, options: TaskOptions): Promise<Output>;
  close(): Promise<void>;
}

/** @param program a file that calls `serveThread` (serve.ts) with the same `tasks` */
export function openThreads(tasks: ThreadTasks, program: URL): Threads {
  const names = new Map<unknown, string>(Object.entries(tasks).map(([name, task]) => [task, name]));
  const nameOf = (task: unknown) => {
    const name = names.get(task);
    if (name === undefined) throw new Error("No thread knows this function.");
    return name;
  };
  const pool = openPool(program, { memoryMb, idleMs });
  return {
    run: (task, input, { size = Number.POSITIVE_INFINITY, timeoutMs = size > shortInput ? longMs : shortMs, ...claimant }) => {
      if (size <= smallInput) return new Promise((resolve) => resolve(task(input)));
      const isShort = size <= shortInput || timeoutMs <= shortMs;
      return pool.run({ name: nameOf(task), input }, timeoutMs, { ...claimant, isShort });
    },
    close: pool.close,
  };
}
