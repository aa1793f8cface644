import { machineMemory } from "./budget.ts";
import { openPool } from "./pool.ts";
import { queues, shortMs } from "./queues.ts";
import type { ThreadTasks } from "./serve.ts";
import type { Claimant } from "./slots.ts";

/** Smaller inputs (characters of text, bytes of bodies) take a few milliseconds: less than the cost of a thread. */
const smallInput = 16 * 1024;
/** Inputs up to this size (characters, bytes) take a moment. */
const shortInput = 1024 * 1024;
/** On an idle machine, the largest transcript takes a few seconds (milliseconds). */
const longMs = 30_000;
/** All threads together may have a quarter of the machine's memory (MiB each). The least is what the largest transcript takes, 35 MB. */
const memoryMb = Math.round(Math.max(256, Math.min(512, machineMemory() / 2 ** 22 / queues.threads.places)));
const idleMs = 60_000;

/** One of the functions that the threads were opened with. */
type Task<Input, Output> = (input: Input) => Output | Promise<Output>;

/** For whom a task runs, its size and its limit. */
interface TaskOptions extends Claimant {
  /**
   * Approximate size of the input (characters, bytes). Small inputs are processed in the calling thread. Default:
   * large.
   */
  size?: number;
  /** A task that computes for longer is ended (milliseconds). With `shortMs` (queues.ts) or less, a task of any size is short. */
  timeoutMs?: number;
}

/**
 * Runs tasks that would block the event loop in threads. People share them (slots.ts), and short tasks have one to
 * themselves.
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
