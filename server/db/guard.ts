import { AsyncLocalStorage } from "node:async_hooks";
import type { Kysely } from "kysely";
import type { Schema } from "./schema.ts";

/** Stands around each transaction of a call, inside of it: what it throws rolls back. */
export interface TransactionGuard {
  run<Result>(t: Kysely<Schema>, work: () => Promise<Result>): Promise<Result>;
  /** The call writes what is this person's, too. */
  alsoOf(userId: string): void;
}

const guards = new AsyncLocalStorage<TransactionGuard | undefined>();

export const underGuard = <Result>(guard: TransactionGuard, work: () => Result): Result => guards.run(guard, work);

/** What the server does by itself, and what it has promised to keep. */
export const withoutGuard = <Result>(work: () => Result): Result => guards.run(undefined, work);

export const currentGuard = (): TransactionGuard | undefined => guards.getStore();
