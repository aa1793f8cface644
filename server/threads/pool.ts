import { Worker } from "node:worker_threads";
import { errorCodeOf, Problem } from "#server/errors/problem.ts";
import { queues } from "./queues.ts";
import type { ThreadMessage, ThreadTask } from "./serve.ts";
import { type Claimant, Slots } from "./slots.ts";

export interface PoolOptions {
  /** Memory per thread for long-lived objects (MiB); a task that needs more is terminated with its thread. */
  memoryMb: number;
  /** Idle time after which a thread exits (milliseconds). */
  idleMs: number;
}

export interface Pool {
  /**
   * Runs a function in a thread when its turn comes.
   * @param task the name of a function that the program serves; `Result` is its result
   * @param timeoutMs a task that computes for longer is terminated with its thread (milliseconds of processor time,
   *   so that a busy machine refuses no ordinary work); the queue's limit ends a task that only waits
   * @throws Problem: what the function threw; `tooLarge` when it exceeded the limit of time or memory;
   *   `tooManyAtOnce`
   */
  run<Result>(task: ThreadTask, timeoutMs: number, claimant: Claimant): Promise<Result>;
  /** Terminates all threads; running tasks fail. */
  close(): Promise<void>;
}

/** @param program a file that calls `serveThread` (threads/serve.ts) */
export function openPool(program: URL, options: PoolOptions): Pool {
  const slots = new Slots(queues.threads);
  const closing = new AbortController();
  const threads = new Set<PoolThread>();
  const open = (): PoolThread => {
    const thread = new PoolThread(program, options, () => threads.delete(thread));
    threads.add(thread);
    return thread;
  };
  return {
    run: <Result>(task: ThreadTask, timeoutMs: number, claimant: Claimant) => {
      const work = (signal: AbortSignal) => {
        const thread = [...threads].find(({ isIdle }) => isIdle) ?? open();
        return thread.run<Result>(task, timeoutMs, signal);
      };
      return slots.run(closing.signal, work, claimant);
    },
    close: async () => {
      closing.abort(new Problem("internal", "The server is stopping."));
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** The environment of a thread: only the place where Node caches compiled code, if it does. */
function threadEnvironment(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE } = process.env;
  // Node would pass on an undefined value as the text "undefined".
  return { NODE_ENV: "production", ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }) };
}

/** Memory per thread for short-lived objects (MiB). */
const youngMb = 48;

/** One thread with at most one task. */
class PoolThread {
  readonly #worker: Worker;
  readonly #idleMs: number;
  readonly #ready = Promise.withResolvers<void>();
  /** `run` knows the actual type. */
  #current: PromiseWithResolvers<never> | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isEnding = false;

  constructor(program: URL, { memoryMb, idleMs }: PoolOptions, onGone: () => void) {
    this.#idleMs = idleMs;
    this.#worker = new Worker(program, {
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: youngMb },
      env: threadEnvironment(),
    });
    this.#worker.on("message", (message: ThreadMessage) => this.#receive(message));
    this.#worker.on("error", (error: unknown) => this.#fail(error));
    this.#worker.on("exit", () => {
      this.#fail(new Error("The thread has ended."));
      onGone();
    });
  }

  get isIdle(): boolean {
    return this.#current === undefined && !this.#isEnding;
  }

  async run<Result>(task: ThreadTask, timeoutMs: number, signal: AbortSignal): Promise<Result> {
    const current = Promise.withResolvers<never>();
    this.#current = current;
    clearTimeout(this.#idleTimer);
    this.#worker.ref();
    const stop = (reason: unknown) => void this.end().then(() => current.reject(reason));
    const onAbort = () => stop(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    let timer: NodeJS.Timeout | undefined;
    try {
      this.#worker.postMessage(task);
      await Promise.race([this.#ready.promise, current.promise]);
      // These run in the background. If the thread's processor time can't be read, the queue's limit ends the task.
      const before = this.#computedMs();
      const check = async () => {
        const left = (await before) + timeoutMs - (await this.#computedMs());
        if (this.#current !== current) return;
        if (left <= 0) stop(new Problem("tooLarge", "This took too long."));
        else timer = setTimeout(check, left);
      };
      timer = setTimeout(check, timeoutMs);
      return await current.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      this.#current = undefined;
      if (!this.#isEnding) this.#rest();
    }
  }

  /**
   * Processor time of the thread (milliseconds); 0 for a thread that is ending, because whoever ends it reports the
   * reason.
   */
  async #computedMs(): Promise<number> {
    const { user, system } = await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1_000;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    clearTimeout(this.#idleTimer);
    await this.#worker.terminate();
  }

  #receive(message: ThreadMessage): void {
    if ("isReady" in message) this.#ready.resolve();
    else if ("result" in message) this.#current?.resolve(message.result);
    else if ("problem" in message) {
      const { code, message: text, status } = message.problem;
      this.#current?.reject(new Problem(code, text, { status }));
    } else this.#current?.reject(new Problem("internal", undefined, { cause: message.error }));
  }

  /** Waits for another task without keeping the process alive. */
  #rest(): void {
    this.#idleTimer = setTimeout(() => void this.end(), this.#idleMs).unref();
    this.#worker.unref();
  }

  #fail(error: unknown): void {
    // The code that ends the thread reports the reason.
    if (this.#isEnding) return;
    this.#isEnding = true;
    const isFull = errorCodeOf(error) === "ERR_WORKER_OUT_OF_MEMORY";
    this.#current?.reject(new Problem(isFull ? "tooLarge" : "internal", undefined, { cause: error }));
  }
}
