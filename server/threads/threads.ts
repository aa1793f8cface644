import { availableParallelism } from "node:os";
import { openPool } from "./pool.ts";
import type { ThreadTasks } from "./serve.ts";
import type { Claimant } from "./slots.ts";

/** Smaller inputs (characters of text, bytes of bodies) take a few milliseconds: less than the cost of a thread. */
const smallInput = 16 * 1024;
/** On an idle machine, the largest transcript takes a few seconds in the slowest format, and half of this memory. */
const [timeoutMs, memoryMb, idleMs] = [60_000, 1024, 60_000];

/** One of the functions that the threads were opened with. */
type Task<Input, Output> = (input: Input) => Output | Promise<Output>;

/** For whom a task runs, and what it may take. */
interface Wanted extends Claimant {
  /** Approximate size of the input, in characters or bytes. Small inputs are processed in the calling thread. Default: it is large. */
  size?: number;
  /** Milliseconds. */
  timeoutMs?: number;
}

/** Runs tasks in threads that would block the event loop; one thread per processor at most. */
export interface Threads {
  /** @throws Problem: what the function throws; `tooLarge` for what takes too long or too much memory */
  run<Input, Output>(task: Task<Input, Output>, input: Input, wanted: Wanted): Promise<Output>;
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
  const pool = openPool(program, { threads: Math.min(4, availableParallelism()), timeoutMs, memoryMb, idleMs });
  return {
    run: (task, input, { size = Number.POSITIVE_INFINITY, timeoutMs }) =>
      size > smallInput ? pool.run(nameOf(task), input, timeoutMs) : new Promise((resolve) => resolve(task(input))),
    close: pool.close,
  };
}
