import { availableParallelism } from "node:os";
import { openPool, type Pool } from "./pool.ts";
import { type ThreadWork, work } from "./work.ts";

/** What is smaller than this (characters of texts, bytes of bodies) takes a few milliseconds: less than it is worth to give it away. */
const smallWork = 16 * 1024;
/** The largest transcript takes a few seconds in the slowest format, on a machine that has nothing else to do, and half of this memory. */
const [timeoutMs, memoryMb, idleMs] = [60_000, 1024, 60_000];

type Name = keyof ThreadWork & string;
type Input<Of extends Name> = Parameters<ThreadWork[Of]>[0];
type Output<Of extends Name> = Awaited<ReturnType<ThreadWork[Of]>>;

/** Where work is done that would hold the event loop: in threads, as many at once as there are processors. */
export interface Threads {
  /**
   * @param size about how large the input is, in characters or bytes; what is small is done here
   * @throws Problem: what the function throws; `tooLarge` for what takes too long or too much memory
   */
  run<Of extends Name>(name: Of, input: Input<Of>, size: number): Promise<Output<Of>>;
  /** The same, always in a thread, with a time limit of its own (milliseconds). */
  runWithin<Of extends Name>(timeoutMs: number, name: Of, input: Input<Of>): Promise<Output<Of>>;
  close(): Promise<void>;
}

const here: { [Of in Name]: (input: Input<Of>) => Output<Of> | Promise<Output<Of>> } = work;

export function openThreads(): Threads {
  const pool: Pool<ThreadWork> = openPool(new URL("./program.ts", import.meta.url), {
    threads: Math.min(4, availableParallelism()),
    timeoutMs,
    memoryMb,
    idleMs,
  });
  return {
    run: (name, input, size) => (size > smallWork ? pool.run(name, input) : new Promise((resolve) => resolve(here[name](input)))),
    runWithin: (timeoutMs, name, input) => pool.run(name, input, timeoutMs),
    close: pool.close,
  };
}
