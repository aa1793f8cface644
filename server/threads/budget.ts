import { totalmem } from "node:os";

/** The memory that there is for the whole product, in bytes: the machine's, or less in a container. */
export function machineMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Somebody waits for it with their ears, or a file does, which can wait. */
export type Use = "live" | "files";

/** A process with a loaded model, as others see it who need its room. */
export interface Tenant {
  readonly use: Use;
  /** What it takes, estimated. */
  readonly bytes: number;
  /** Nobody may end it while it has any. */
  readonly users: number;
  /** Larger is later. */
  readonly usedAt: number;
  end(): Promise<void>;
}

/** Somebody for whom there is no room yet. */
export interface Waiter {
  wanted: { use: Use; bytes: number };
  wake(): void;
}

/**
 * The memory that all loaded models take together, whatever they are for: recognition, translation, speech. Two thirds of all, so
 * that of two models that take more than a third each one is ended before the other is loaded.
 */
export class MemoryBudget {
  readonly bytes: number;
  readonly tenants: Tenant[] = [];
  readonly waiting: Waiter[] = [];
  #uses = 0;

  constructor(bytes = (machineMemory() * 2) / 3) {
    this.bytes = bytes;
  }

  /** What all that is loaded takes. */
  get taken(): number {
    return this.tenants.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** The number of the next use: larger than all before it. */
  nextUse(): number {
    this.#uses += 1;
    return this.#uses;
  }

  /** Whether there is room beside what takes this much; whatever is alone has it. */
  fits(bytes: number, taken = this.taken): boolean {
    return taken === 0 || taken + bytes <= this.bytes;
  }

  /** A dictation that needs the room of files is first in the queue: nobody starts work for a file before it. */
  yields(use: Use): boolean {
    if (use === "live") return false;
    const live = this.tenants.filter((one) => one.use === "live" && one.users > 0);
    const taken = live.reduce((sum, { bytes }) => sum + bytes, 0);
    return this.waiting.some(({ wanted }) => wanted.use === "live" && this.fits(wanted.bytes, taken));
  }

  /** Whose processes may be ended for others, the least recently used one first. */
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
