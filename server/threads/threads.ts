import { availableParallelism } from "node:os";
import { openPool } from "./pool.ts";
import type { ThreadTasks } from "./serve.ts";

/** Smaller inputs (characters of text, bytes of bodies) take a few milliseconds: less than the cost of a thread. */
const smallInput = 16 * 1024;
/** On an idle machine, the largest transcript takes a few seconds in the slowest format, and half of this memory. */
const [timeoutMs, memoryMb, idleMs] = [60_000, 1024, 60_000];

/** One of the functions that the threads were opened with. */
type Task<Input, Output> = (input: Input) => Output | Promise<Output>;

/** Runs tasks in threads that would block the event loop; one thread per processor at most. */
export interface Threads {
  /**
   * @param size approximate size of the input, in characters or bytes; small inputs are processed in the calling thread
   * @throws Problem: what the function throws; `tooLarge` for what takes too long or too much memory
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, size: number): Promise<Output>;
  /** The same, always in a pool thread, with its own time limit (milliseconds). */
  runWithin<Input, Output>(timeoutMs: number, task: Task<Input, Output>, input: Input): Promise<Output>;
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
    run: (task, input, size) =>
      size > smallInput ? pool.run(nameOf(task), input) : new Promise((resolve) => resolve(task(input))),
    runWithin: (timeoutMs, task, input) => pool.run(nameOf(task), input, timeoutMs),
    close: pool.close,
  };
}
