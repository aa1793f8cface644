import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** Checks the transactions of one call. */
export interface TransactionGuard {
  /** Runs a transaction's work. An error rolls the transaction back. */
  run<Result>(t: Kysely<Schema>, work: () => Promise<Result>): Promise<Result>;
  /** Says that the call also writes what belongs to this person. */
  addOwner(userId: string): void;
}

const guards = new AsyncLocalStorage<TransactionGuard | undefined>();

/**
 * Runs a call whose transactions the guard checks (changes.ts). A statement outside of a transaction is not checked.
 */
export const underGuard = <Result>(guard: TransactionGuard, work: () => Result): Result => guards.run(guard, work);

/** Runs the server's own work, or work that it has promised to finish. */
export const withoutGuard = <Result>(work: () => Result): Result => guards.run(undefined, work);

export const currentGuard = (): TransactionGuard | undefined => guards.getStore();
