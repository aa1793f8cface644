import { MemoryBudget, type Tenant, type Use, type Waiter } from "./budget.ts";

/** Idle time after which a model's memory is freed (ms). */
const idleTime = 5 * 60_000;
/** Longest wait of a dictation for memory (ms): other dictations may last for hours. */
const liveWait = 60_000;

/** A process that can be lent. */
export interface Lendable {
  readonly isAlive: boolean;
  /** Resolves when the process has exited. */
  close(): Promise<void>;
  /** Lowers the process's priority, or restores it. */
  setBackground?(isBackground: boolean): void;
}

export interface Wanted<Child extends Lendable> {
  model: string;
  /** Distinguishes processes that load the same model in different ways. */
  variant?: string;
  use: Use;
  /** Estimated memory (bytes). */
  bytes: number;
  /** Most processes in parallel, if the memory allows it. Default 1. */
  copies?: number;
  start(): Promise<Child>;
}

/** A process with a loaded model, usable until it is disposed of. Others may use the process at the same time. */
export interface Loan<Child extends Lendable> extends Disposable {
  child: Child;
}

interface Loaded<Child> extends Tenant {
  model: string;
  variant: string | undefined;
  use: Use;
  child: Promise<Child>;
  /** Undefined while it is loading. */
  ready: Child | undefined;
  users: number;
  usedAt: number;
  idleTimer: NodeJS.Timeout | undefined;
}

export interface MemoryOptions {
  /** Makes the error for a request without memory, or after closing. @param why for the operator */
  refuse(why: string): Error;
  /** Shared with others; default: a budget of its own. */
  budget?: MemoryBudget | undefined;
  idleMs?: number | undefined;
  liveWaitMs?: number;
  /**
   * Whether a model that takes at most half of the budget may exceed it after waiting. It is for models that help
   * others: a dictation must not be refused its translation by its own model, and a third of the memory is outside of
   * the budget.
   */
  mayExceed?: boolean;
}

/**
 * The processes with loaded models of one kind, within a budget that others may share. A process is started on demand.
 * It is ended when it has been idle, or when another needs its memory. Busy processes are waited for; dictations
 * precede files.
 */
export class ModelMemory<Child extends Lendable> {
  readonly #budget: MemoryBudget;
  readonly #idleMs: number;
  readonly #liveWaitMs: number;
  readonly #mayExceed: boolean;
  readonly #refuse: MemoryOptions["refuse"];
  readonly #loaded: Loaded<Child>[] = [];
  #isClosed = false;

  constructor({ budget, idleMs = idleTime, liveWaitMs = liveWait, mayExceed = false, refuse }: MemoryOptions) {
    this.#refuse = refuse;
    this.#budget = budget ?? new MemoryBudget();
    this.#idleMs = idleMs;
    this.#liveWaitMs = liveWaitMs;
    this.#mayExceed = mayExceed;
  }

  /** The loaded models, in the order of loading. */
  get loaded(): { model: string; use: Use; users: number }[] {
    return this.#loaded.map(({ model, use, users }) => ({ model, use, users }));
  }

  /** The running processes. */
  get children(): Child[] {
    return this.#loaded.flatMap(({ ready }) => ready ?? []);
  }

  /**
   * Lends the process of a model: loads the model if needed, and waits for memory.
   * @throws what `start` throws; the error of `refuse` when a dictation has waited for too long; the signal's reason
   */
  async lend(wanted: Wanted<Child>, signal?: AbortSignal): Promise<Loan<Child>> {
    const loaded = this.#take(wanted);
    if (loaded !== undefined) return this.#lend(loaded);
    const tooLong = wanted.use === "live" ? AbortSignal.timeout(this.#liveWaitMs) : undefined;
    const waiter: Waiter = { wanted, wake: () => undefined };
    const wake = () => waiter.wake();
    signal?.addEventListener("abort", wake);
    tooLong?.addEventListener("abort", wake);
    this.#budget.waiting.push(waiter);
    try {
      for (;;) {
        signal?.throwIfAborted();
        const taken = this.#take(wanted) ?? (tooLong?.aborted === true ? this.#exceed(wanted) : undefined);
        if (taken !== undefined) return await this.#lend(taken);
        const { promise, resolve } = Promise.withResolvers<void>();
        waiter.wake = resolve;
        await promise;
      }
    } finally {
      signal?.removeEventListener("abort", wake);
      tooLong?.removeEventListener("abort", wake);
      this.#budget.waiting.splice(this.#budget.waiting.indexOf(waiter), 1);
      // Requests for files may have been waiting for this dictation.
      this.#budget.wakeAll();
    }
  }

  /** Undefined when it has to wait. */
  #take(wanted: Wanted<Child>): Loaded<Child> | undefined {
    if (this.#isClosed) throw this.#refuse("The server is shutting down.");
    return this.#budget.yields(wanted.use) ? undefined : (this.#find(wanted) ?? this.#makeRoom(wanted));
  }

  /** Called after the longest wait. @throws the error of `refuse`, unless the model may exceed the budget */
  #exceed(wanted: Wanted<Child>): Loaded<Child> {
    if (this.#mayExceed && wanted.bytes <= this.#budget.bytes / 2) return this.#load(wanted, Promise.resolve());
    throw this.#refuse("Other models use all of the memory.");
  }

  /** Ends a removed model's idle processes. Busy ones end once they are idle. */
  async drop(model: string): Promise<void> {
    await Promise.all(this.#loaded.filter((one) => one.model === model && one.users === 0).map((one) => this.#end(one)));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#budget.wakeAll();
    await Promise.all([...this.#loaded].map((one) => this.#end(one)));
  }

  /**
   * The process for this use with the fewest users; undefined when another has to be loaded. Crashed processes are
   * removed.
   */
  #find({ model, variant, use, bytes, copies = 1 }: Wanted<Child>): Loaded<Child> | undefined {
    const found = this.#loaded.filter((one) => one.model === model && one.variant === variant && one.use === use);
    const crashed = found.filter(({ ready }) => ready?.isAlive === false);
    for (const one of crashed) this.#remove(one);
    const alive = found.filter((one) => !crashed.includes(one)).sort((a, b) => a.users - b.users);
    const needsMoreMemory = alive.length < copies && alive.every(({ users }) => users > 0) && this.#budget.fits(bytes);
    return needsMoreMemory ? undefined : alive[0];
  }

  #makeRoom(wanted: Wanted<Child>): Loaded<Child> | undefined {
    const { model, variant, bytes } = wanted;
    let { taken } = this.#budget;
    const fits = () => this.#budget.fits(bytes, taken);
    const twin = this.#loaded.find(
      (one) => one.users === 0 && one.model === model && one.variant === variant && one.ready?.isAlive === true,
    );
    if (!fits() && twin !== undefined) {
      // The same model is loaded for the other use: it is taken over without loading.
      twin.use = wanted.use;
      twin.ready?.setBackground?.(wanted.use === "files");
      return twin;
    }
    const ended: Tenant[] = [];
    for (const one of this.#budget.idle()) {
      if (fits()) break;
      ended.push(one);
      taken -= one.bytes;
    }
    if (!fits()) return undefined;
    const gone = Promise.all(ended.map((one) => one.end()));
    return this.#load(wanted, gone);
  }

  #load({ model, variant, use, bytes, start }: Wanted<Child>, room: Promise<unknown>): Loaded<Child> {
    const loaded: Loaded<Child> = {
      model,
      variant,
      use,
      bytes,
      child: room.then(start),
      ready: undefined,
      users: 0,
      usedAt: 0,
      idleTimer: undefined,
      end: () => this.#end(loaded),
    };
    this.#loaded.push(loaded);
    this.#budget.add(loaded);
    loaded.child.then(
      (child) => {
        loaded.ready = child;
        if (loaded.use === "files") child.setBackground?.(true);
        if (this.#isClosed) void child.close();
      },
      () => this.#remove(loaded),
    );
    return loaded;
  }

  async #lend(loaded: Loaded<Child>): Promise<Loan<Child>> {
    loaded.users += 1;
    loaded.usedAt = this.#budget.nextUse();
    clearTimeout(loaded.idleTimer);
    let isLent = true;
    const giveBack = () => {
      if (!isLent) return;
      isLent = false;
      loaded.users -= 1;
      if (loaded.users === 0 && this.#loaded.includes(loaded)) this.#rest(loaded);
      this.#budget.wakeAll();
    };
    try {
      return { child: await loaded.child, [Symbol.dispose]: giveBack };
    } catch (error) {
      giveBack();
      throw error;
    }
  }

  #rest(loaded: Loaded<Child>): void {
    loaded.idleTimer = setTimeout(() => void this.#end(loaded), this.#idleMs);
    loaded.idleTimer.unref();
  }

  async #end(loaded: Loaded<Child>): Promise<void> {
    this.#remove(loaded);
    const child = await loaded.child.catch(() => undefined);
    await child?.close();
  }

  #remove(loaded: Loaded<Child>): void {
    clearTimeout(loaded.idleTimer);
    const at = this.#loaded.indexOf(loaded);
    if (at >= 0) this.#loaded.splice(at, 1);
    this.#budget.remove(loaded);
  }
}
