import { availableParallelism } from "node:os";
import { openPool } from "./pool.ts";
import type { Work } from "./serve.ts";

/** What is smaller than this (characters of texts, bytes of bodies) takes a few milliseconds: less than it is worth to give it away. */
const smallWork = 16 * 1024;
/** The largest transcript takes a few seconds in the slowest format, on a machine that has nothing else to do, and half of this memory. */
const [timeoutMs, memoryMb, idleMs] = [60_000, 1024, 60_000];

/** One of the functions that the threads have been opened with. */
type Task<Input, Output> = (input: Input) => Output | Promise<Output>;

/** Where work is done that would hold the event loop: in threads, as many at once as there are processors. */
export interface Threads {
  /**
   * @param size about how large the input is, in characters or bytes; what is small is done here
   * @throws Problem: what the function throws; `tooLarge` for what takes too long or too much memory
   */
  run<Input, Output>(task: Task<Input, Output>, input: Input, size: number): Promise<Output>;
  /** The same, always in a thread, with a time limit of its own (milliseconds). */
  runWithin<Input, Output>(timeoutMs: number, task: Task<Input, Output>, input: Input): Promise<Output>;
  close(): Promise<void>;
}

/** @param program a file that calls `serveThread` (serve.ts) with the same `work` */
export function openThreads(work: Work, program: URL): Threads {
  const names = new Map<unknown, string>(Object.entries(work).map(([name, task]) => [task, name]));
  const nameOf = (task: unknown) => {
    const name = names.get(task);
    if (name === undefined) throw new Error("No thread knows this function.");
    return name;
  };
  const pool = openPool(program, { threads: Math.min(4, availableParallelism()), timeoutMs, memoryMb, idleMs });
  return {
    run: (task, input, size) =>
      size > smallWork ? pool.run(nameOf(task), input) : new Promise((resolve) => resolve(task(input))),
    runWithin: (timeoutMs, task, input) => pool.run(nameOf(task), input, timeoutMs),
    close: pool.close,
  };
}
