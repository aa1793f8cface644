import { totalmem } from "node:os";
import { SpeechError, type Use } from "../engine.ts";
import type { EngineChild } from "./child.ts";

/** Unused for this long, a model's memory is given back (ms). */
const idleTime = 5 * 60_000;
/** A dictation waits for memory no longer than this (ms): other dictations may last for hours. */
const liveWait = 60_000;

export interface Wanted {
  model: string;
  /** How it is loaded, where that differs. */
  variant?: string;
  use: Use;
  /** What it takes in memory, estimated. */
  bytes: number;
  start(): Promise<EngineChild>;
}

/** A process with a loaded model, to be used until it is disposed of. Others may use it, too. */
export interface Loan extends Disposable {
  child: EngineChild;
}

interface Loaded {
  model: string;
  variant: string | undefined;
  use: Use;
  bytes: number;
  child: Promise<EngineChild>;
  /** Undefined while it is loading. */
  ready: EngineChild | undefined;
  users: number;
  /** Larger is later. */
  usedAt: number;
  idleTimer: NodeJS.Timeout | undefined;
}

interface Waiter {
  wanted: Wanted;
  wake: () => void;
}

export interface MemoryOptions {
  budgetBytes?: number;
  idleMs?: number;
  liveWaitMs?: number;
}

/** The memory that there is for the whole product, in bytes: the machine's, or less in a container. */
export function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * The processes with loaded models, within a budget: two thirds of the memory, so that of two models that take more than a third each one
 * is ended before the other is loaded. A process is started when it is first wanted and ended when it has been idle, or
 * when another needs its room (the least recently used one first). One at work is waited for; files let dictations go first.
 */
export class ModelMemory {
  readonly #budget: number;
  readonly #idleMs: number;
  readonly #liveWaitMs: number;
  readonly #loaded: Loaded[] = [];
  readonly #waiting: Waiter[] = [];
  #uses = 0;
  #isClosed = false;

  constructor({ budgetBytes = (machineMemory() * 2) / 3, idleMs = idleTime, liveWaitMs = liveWait }: MemoryOptions = {}) {
    this.#budget = budgetBytes;
    this.#idleMs = idleMs;
    this.#liveWaitMs = liveWaitMs;
  }

  /** What is loaded, in the order in which it was. */
  get loaded(): { model: string; use: Use; users: number }[] {
    return this.#loaded.map(({ model, use, users }) => ({ model, use, users }));
  }

  /**
   * Lends the process of a model; loads it when it is not loaded, waits for room when there is none.
   * @throws SpeechError `engineUnavailable` when it can't be loaded, or when a dictation has waited for too long; the signal's reason
   */
  async lend(wanted: Wanted, signal?: AbortSignal): Promise<Loan> {
    const loaded = this.#take(wanted);
    if (loaded !== undefined) return this.#lend(loaded);
    const tooLong = wanted.use === "live" ? AbortSignal.timeout(this.#liveWaitMs) : undefined;
    const waiter: Waiter = { wanted, wake: () => undefined };
    const wake = () => waiter.wake();
    signal?.addEventListener("abort", wake);
    tooLong?.addEventListener("abort", wake);
    this.#waiting.push(waiter);
    try {
      for (;;) {
        signal?.throwIfAborted();
        if (tooLong?.aborted) throw new SpeechError("engineUnavailable", "Other models take all of the memory that there is.");
        const taken = this.#take(wanted);
        if (taken !== undefined) return await this.#lend(taken);
        const { promise, resolve } = Promise.withResolvers<void>();
        waiter.wake = resolve;
        await promise;
      }
    } finally {
      signal?.removeEventListener("abort", wake);
      tooLong?.removeEventListener("abort", wake);
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      // Files may have let it go first.
      this.#wakeAll();
    }
  }

  /** Undefined: it has to wait. */
  #take(wanted: Wanted): Loaded | undefined {
    if (this.#isClosed) throw new SpeechError("engineUnavailable", "The speech engine is shutting down.");
    return this.#yields(wanted) ? undefined : (this.#find(wanted) ?? this.#makeRoom(wanted));
  }

  /** Ends a model's idle processes: its files are gone. Those at work end by themselves when they are idle. */
  async drop(model: string): Promise<void> {
    await Promise.all(this.#loaded.filter((one) => one.model === model && one.users === 0).map((one) => this.#end(one)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wakeAll();
    await Promise.all([...this.#loaded].map((one) => this.#end(one)));
  }

  /** The process for this use; one that has crashed makes room for another. */
  #find({ model, variant, use }: Wanted): Loaded | undefined {
    const found = this.#loaded.find((one) => one.model === model && one.variant === variant && one.use === use);
    if (found?.ready === undefined || found.ready.isAlive) return found;
    this.#forget(found);
    return undefined;
  }

  /** A dictation that needs the room of files is first in the queue: nobody starts work for a file before it. */
  #yields({ use }: Wanted): boolean {
    if (use === "live") return false;
    const live = this.#loaded.filter((one) => one.use === "live" && one.users > 0);
    const taken = live.reduce((sum, { bytes }) => sum + bytes, 0);
    return this.#waiting.some(({ wanted }) => wanted.use === "live" && (taken === 0 || taken + wanted.bytes <= this.#budget));
  }

  #makeRoom(wanted: Wanted): Loaded | undefined {
    const ended: Loaded[] = [];
    const idle = this.#loaded.filter((one) => one.users === 0).toSorted((a, b) => a.usedAt - b.usedAt);
    const { model, variant } = wanted;
    const twin = idle.find((one) => one.model === model && one.variant === variant && one.ready?.isAlive === true);
    let taken = this.#loaded.reduce((sum, { bytes }) => sum + bytes, 0);
    const fits = () => taken === 0 || taken + wanted.bytes <= this.#budget;
    if (!fits() && twin !== undefined) {
      // The same model, loaded for the other use: nothing has to be loaded again.
      twin.use = wanted.use;
      return twin;
    }
    for (const one of idle) {
      if (fits()) break;
      ended.push(one);
      taken -= one.bytes;
    }
    if (!fits()) return undefined;
    const gone = Promise.all(ended.map((one) => this.#end(one)));
    return this.#load(wanted, gone);
  }

  #load({ model, variant, use, bytes, start }: Wanted, room: Promise<unknown>): Loaded {
    const loaded: Loaded = {
      model,
      variant,
      use,
      bytes,
      child: room.then(start),
      ready: undefined,
      users: 0,
      usedAt: 0,
      idleTimer: undefined,
    };
    this.#loaded.push(loaded);
    loaded.child.then(
      (child) => {
        loaded.ready = child;
        if (this.#isClosed) child.kill();
      },
      () => this.#forget(loaded),
    );
    return loaded;
  }

  async #lend(loaded: Loaded): Promise<Loan> {
    loaded.users += 1;
    this.#uses += 1;
    loaded.usedAt = this.#uses;
    clearTimeout(loaded.idleTimer);
    let isLent = true;
    const giveBack = () => {
      if (!isLent) return;
      isLent = false;
      loaded.users -= 1;
      if (loaded.users === 0 && this.#loaded.includes(loaded)) this.#rest(loaded);
      this.#wakeAll();
    };
    try {
      return { child: await loaded.child, [Symbol.dispose]: giveBack };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #rest(loaded: Loaded): void {
    loaded.idleTimer = setTimeout(() => void this.#end(loaded), this.#idleMs);
    loaded.idleTimer.unref();
  }

  async #end(loaded: Loaded): Promise<void> {
    this.#forget(loaded);
    const child = await loaded.child.catch(() => undefined);
    await child?.close();
  }

  #forget(loaded: Loaded): void {
    clearTimeout(loaded.idleTimer);
    const at = this.#loaded.indexOf(loaded);
    if (at >= 0) this.#loaded.splice(at, 1);
    this.#wakeAll();
  }

  #wakeAll(): void {
    for (const { wake } of this.#waiting) wake();
  }
}
