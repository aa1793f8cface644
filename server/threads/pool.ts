import { Worker } from "node:worker_threads";
import { errorCodeOf, Problem } from "#server/errors/problem.ts";
import type { ThreadRefusal } from "./serve.ts";

export interface PoolOptions {
  /** Maximum number of threads, each started on demand. */
  threads: number;
  /** A task that takes longer is terminated with its thread (milliseconds). */
  timeoutMs: number;
  /** Per thread; a task that needs more is terminated with its thread (MiB). */
  memoryMb: number;
  /** A thread without a task exits after this (milliseconds). */
  idleMs: number;
}

export interface Pool {
  /**
   * Runs a function in a thread. Tasks wait for a thread in order of arrival.
   * @param name of a function that the program serves; `Result` is its result
   * @param timeoutMs overrides the pool's
   * @throws Problem: what the function threw; `tooLarge` when it exceeded the limit of time or memory
   */
  run<Result>(name: string, input: unknown, timeoutMs?: number): Promise<Result>;
  /** Terminates all threads; running tasks fail. */
  close(): Promise<void>;
}

interface Waiting {
  task: { name: string; input: unknown };
  timeoutMs: number;
  /** `run` knows the actual type. */
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

type Answer = { result: never } | ThreadRefusal;

/** @param program a file that calls `serveThread` (threads/serve.ts) */
export function openPool(program: URL, options: PoolOptions): Pool {
  const queue: Waiting[] = [];
  const idle = new Set<PoolThread>();
  const all = new Set<PoolThread>();
  let closed = false;

  const next = () => {
    while (queue.length > 0) {
      const thread = idle.values().next().value ?? (all.size < options.threads ? open() : undefined);
      const waiting = thread === undefined ? undefined : queue.shift();
      if (thread === undefined || waiting === undefined) return;
      idle.delete(thread);
      thread.take(waiting);
    }
  };
  const open = (): PoolThread => {
    const thread = new PoolThread(program, options, {
      free: () => {
        idle.add(thread);
        next();
      },
      gone: () => {
        idle.delete(thread);
        all.delete(thread);
        next();
      },
    });
    all.add(thread);
    return thread;
  };
  return {
    run: <Result>(name: string, input: unknown, timeoutMs = options.timeoutMs) => {
      if (closed) return Promise.reject<Result>(new Problem("internal", "The server is stopping."));
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      queue.push({ task: { name, input }, timeoutMs, resolve, reject });
      next();
      return promise;
    },
    close: async () => {
      closed = true;
      for (const { reject } of queue.splice(0)) reject(new Problem("internal", "The server is stopping."));
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}

interface Owner {
  free(): void;
  gone(): void;
}

/** What a thread needs of the environment, and nothing else: where Node caches compiled code, if it does. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  // Node would pass on an undefined value as the text "undefined".
  return { NODE_ENV: "production", ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}

/** One thread with at most one task. */
class PoolThread {
  readonly #worker: Worker;
  readonly #options: PoolOptions;
  readonly #owner: Owner;
  #current: Waiting | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(program: URL, options: PoolOptions, owner: Owner) {
    this.#options = options;
    this.#owner = owner;
    this.#worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: options.memoryMb },
      env: threadEnvironment(),
    });
    this.#worker.on("message", (answer: Answer) => this.#answer(answer));
    this.#worker.on("error", (error: unknown) => this.#fail(error));
    this.#worker.on("exit", () => {
      this.#fail(new Error("The thread has ended."));
      this.#owner.gone();
    });
  }

  take(waiting: Waiting): void {
    clearTimeout(this.#timer);
    this.#current = waiting;
    this.#worker.ref();
    this.#timer = setTimeout(() => {
      this.#settle((current) => current.reject(new Problem("tooLarge", "This takes too long.")));
      void this.#worker.terminate();
    }, waiting.timeoutMs);
    try {
      this.#worker.postMessage(waiting.task);
    } catch (error) {
      this.#fail(error);
      this.#rest();
    }
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#worker.terminate();
  }

  #answer(answer: Answer): void {
    this.#settle((current) => {
      if ("result" in answer) current.resolve(answer.result);
      else if ("problem" in answer) {
        const { code, message, status } = answer.problem;
        current.reject(new Problem(code, message, { status }));
      } else current.reject(new Problem("internal", undefined, { cause: answer.error }));
    });
    this.#rest();
  }

  /** Waits for another task without keeping the process alive. */
  #rest(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // First, so that it is given no further task.
      this.#owner.gone();
      void this.#worker.terminate();
    }, this.#options.idleMs).unref();
    this.#worker.unref();
    this.#owner.free();
  }

  #fail(error: unknown): void {
    const isFull = errorCodeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";
    const problem = new Problem(isFull ? "tooLarge" : "internal", undefined, { cause: error });
    this.#settle((current) => current.reject(problem));
  }

  #settle(how: (current: Waiting) => void): void {
    clearTimeout(this.#timer);
    const current = this.#current;
    this.#current = undefined;
    if (current !== undefined) how(current);
  }
}
