import { inRotation } from "#server/threads/queues.ts";
import { Slots, theServer } from "#server/threads/slots.ts";
import { SpeechError } from "../engine.ts";
import { type ChildOptions, EngineChild } from "./child.ts";

/** Idle time after which a process ends (ms); one always stays. */
const idleTime = 60_000;
const warmProcesses = 1;

export interface PoolOptions extends ChildOptions {
  /** Maximum number of processes in use; further callers wait. */
  size: number;
  idleMs?: number;
}

interface Idle {
  child: EngineChild;
  timer: NodeJS.Timeout;
}

/** A pool of an engine's processes, started on demand and reused. A crashed process is replaced at the next request. */
export class EnginePool {
  readonly #options: PoolOptions;
  readonly #idle: Idle[] = [];
  readonly #busy = new Set<EngineChild>();
  readonly #slots: Slots;
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#slots = new Slots(inRotation(options.size));
  }

  /** The number of all processes, and of idle ones. */
  get counts(): { all: number; idle: number } {
    return { all: this.#idle.length + this.#busy.size, idle: this.#idle.length };
  }

  /**
   * Lends a process to `work` exclusively.
   * @throws SpeechError when none can be started; whatever `work` throws
   */
  use<T>(work: (child: EngineChild) => Promise<T>): Promise<T> {
    const lend = async () => {
      const child = await this.#take();
      try {
        return await work(child);
      } finally {
        this.#giveBack(child);
      }
    };
    return this.#slots.run(new AbortController().signal, lend, { person: theServer });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const children = [...this.#idle.splice(0).map(cancelRetirement), ...this.#busy];
    await Promise.all(children.map((child) => child.close()));
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
    if (at < 0 || this.#idle.length <= warmProcesses) return;
    this.#idle.splice(at, 1);
    child.kill();
  }
}

function cancelRetirement({ child, timer }: Idle): EngineChild {
  clearTimeout(timer);
  return child;
}
