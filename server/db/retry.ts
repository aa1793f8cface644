import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import type { Transaction, TransactionBuilder } from "kysely";
import { errorCodeOf } from "#server/errors/problem.ts";
import { ObservedKysely } from "./changes.ts";
import type { Schema } from "./schema.ts";

/** The attempts of a transaction in parallel with others, and then the attempts while all others wait. */
const besideOthers = 3;
const maxAttempts = 10;
/** The wait before the second attempt, in ms. It doubles from there, and varies so that rivals don't meet again. */
const firstWaitMs = 4;
const maxWaitMs = 250;

/** A serialization failure, and a deadlock. */
const collisions = new Set(["40001", "40P01"]);
/**
 * A duplicate key, a missing reference, a transaction aborted by an error that the work has caught: each may result
 * from a collision, so it is tried once more. Without a collision it occurs again.
 */
const traces = new Set(["23505", "23503", "25P02"]);

/** How this call's transaction must begin (postgres.ts); undefined outside `SerializableKysely.transaction`. */
export const beginning = new AsyncLocalStorage<{ alone: boolean }>();

/** Whether PostgreSQL has refused a statement only because of what ran beside it. */
function isCollision(error: unknown): boolean {
  return collisions.has(errorCodeOf(error) ?? "");
}

function isTrace(error: unknown): boolean {
  // Kysely's error for a commit that PostgreSQL has answered with a rollback.
  if (error instanceof Error && error.name === "AbortedTransactionError") return true;
  return traces.has(errorCodeOf(error) ?? "");
}

/** Waits before an attempt. @param attempt how many have failed, from 1 */
async function waitBefore(attempt: number): Promise<void> {
  await setTimeout(Math.min(firstWaitMs * 2 ** attempt, maxWaitMs) * Math.random());
}

/**
 * A database whose transactions run as if in sequence, like SQLite's, which hold the write lock from the start. A
 * transaction that collides is rolled back and repeated, in later attempts alone. So a transaction's work must have no
 * effects outside the database that may not happen twice.
 */
export class SerializableKysely extends ObservedKysely {
  override transaction(): TransactionBuilder<Schema> {
    const builder = super.transaction();
    const execute = builder.execute.bind(builder);
    builder.execute = <Result>(work: (t: Transaction<Schema>) => Promise<Result>) => repeated(() => execute(work));
    return builder;
  }
}

async function repeated<Result>(run: () => Promise<Result>): Promise<Result> {
  let traced = 0;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await beginning.run({ alone: attempt > besideOthers }, run);
    } catch (error) {
      if (attempt >= maxAttempts) throw error;
      if (!isCollision(error)) {
        if (!isTrace(error) || traced > 0) throw error;
        traced += 1;
      }
      await waitBefore(attempt);
    }
  }
}

/** Repeats a single statement after a collision: the failed one had no effect. */
export async function repeatedStatement<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= maxAttempts || !isCollision(error)) throw error;
      await waitBefore(attempt);
    }
  }
}
