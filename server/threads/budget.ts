import { totalmem } from "node:os";

/** The memory of the machine, or of its container if that is less, in bytes. */
export function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Live speech, which a user waits for, or a file, which can wait. */
export type Use = "live" | "files";

/** A process with a loaded model, as seen by others that need its memory. */
export interface Tenant {
  readonly use: Use;
  /** Estimated memory (bytes). */
  readonly bytes: number;
  /** Number of current users. The process may only be ended at 0. */
  readonly users: number;
  /** Order of use: a larger number is later. */
  readonly usedAt: number;
  end(): Promise<void>;
}

/** A request that waits for memory. */
export interface Waiter {
  wanted: { use: Use; bytes: number };
  wake(): void;
}

/**
 * The memory of all loaded models together: recognition, translation, speech. The budget is two thirds of the total, so
 * that of two models with more than a third each, one is ended before the other is loaded.
 */
export class MemoryBudget {
  readonly bytes: number;
  readonly tenants: Tenant[] = [];
  readonly waiting: Waiter[] = [];
  #uses = 0;

  constructor(bytes = (machineMemory() * 2) / 3) {
    this.bytes = bytes;
  }

  /** Memory of everything that is loaded (bytes). */
  get taken(): number {
    return this.tenants.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The number of the next use: larger than all before it. */
  nextUse(): number {
    this.#uses += 1;
    return this.#uses;
  }

  /** Whether it fits beside memory already taken. A model that is alone always fits. */
  fits(bytes: number, taken = this.taken): boolean {
    return taken === 0 || taken + bytes <= this.bytes;
  }

  /** Whether this use must wait: a dictation that waits for memory precedes all new work for files. */
  yields(use: Use): boolean {
    if (use === "live") return false;
    const live = this.tenants.filter((one) => one.use === "live" && one.users > 0);
    const taken = live.reduce((sum, { bytes }) => sum + bytes, 0);
    return this.waiting.some(({ wanted }) => wanted.use === "live" && this.fits(wanted.bytes, taken));
  }

  /** Processes that may be ended for others, the least recently used first. */
  idle(): Tenant[] {
    return this.tenants.filter(({ users }) => users === 0).toSorted((a, b) => a.usedAt - b.usedAt);
  }

  add(tenant: Tenant): void {
    this.tenants.push(tenant);
  }

  remove(tenant: Tenant): void {
    const at = this.tenants.indexOf(tenant);
    if (at >= 0) this.tenants.splice(at, 1);
    this.wakeAll();
  }

  wakeAll(): void {
    for (const { wake } of this.waiting) wake();
  }
}
