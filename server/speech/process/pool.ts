import { SpeechError } from "../engine.ts";
import { type ChildOptions, EngineChild } from "./child.ts";

/** Idle time after which a process ends (ms); one always stays. */
const idleTime = 60_000;
const keptWarm = 1;

export interface PoolOptions extends ChildOptions {
  /** Maximum number of processes in use; further callers wait. */
  size: number;
  idleMs?: number;
}

interface Idle {
  child: EngineChild;
  timer: NodeJS.Timeout;
}

/** A pool of an engine's processes, started on demand and reused. A crashed one is replaced on the next request. */
export class EnginePool {
  readonly #options: PoolOptions;
  readonly #idle: Idle[] = [];
  readonly #busy = new Set<EngineChild>();
  readonly #queue: (() => void)[] = [];
  #taken = 0;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** The number of processes, and of idle ones. */
  get counts(): { all: number; idle: number } {
    return { all: this.#idle.length + this.#busy.size, idle: this.#idle.length };
  }

  /**
   * Lends a process to `work` exclusively.
   * @throws SpeechError when none can be started; whatever `work` throws
   */
  async use<T>(work: (child: EngineChild) => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#turn(signal);
    try {
      const child = await this.#take();
      try {
        return await work(child);
      } finally {
        this.#giveBack(child);
      }
    } finally {
      this.#passTurn();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const children = [...this.#idle.splice(0).map(cancelRetirement), ...this.#busy];
    await Promise.all(children.map((child) => child.close()));
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#taken >= this.#options.size) return this.#queued(signal);
    this.#taken += 1;
  }

  /** Passes the slot to the longest waiting caller; the number of used slots stays the same. */
  #passTurn(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }

  #queued(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = () => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        this.#queue.splice(this.#queue.indexOf(go), 1);
        reject(signal?.reason);
      };
      this.#queue.push(go);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  async #take(): Promise<EngineChild> {
    if (this.#isClosed) throw new SpeechError("engineUnavailable", "The speech engine is shutting down.");
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      const child = cancelRetirement(idle);
      if (!child.isAlive) continue;
      this.#busy.add(child);
      return child;
    }
    const child = await EngineChild.start(this.#options);
    this.#busy.add(child);
    if (this.#isClosed) child.kill();
    return child;
  }

  #giveBack(child: EngineChild): void {
    this.#busy.delete(child);
    if (!child.isAlive) return;
    if (this.#isClosed) {
      child.kill();
      return;
    }
    const timer = setTimeout(() => this.#retire(child), this.#options.idleMs ?? idleTime);
    timer.unref();
    this.#idle.push({ child, timer });
  }

  #retire(child: EngineChild): void {
    const at = this.#idle.findIndex((idle) => idle.child === child);
    if (at < 0 || this.#idle.length <= keptWarm) return;
    this.#idle.splice(at, 1);
    child.kill();
  }
}

function cancelRetirement({ child, timer }: Idle): EngineChild {
  clearTimeout(timer);
  return child;
}
