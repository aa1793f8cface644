import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import type { Transaction, TransactionBuilder } from "kysely";
import { errorCodeOf } from "#server/errors/problem.ts";
import { ObservedKysely } from "./changes.ts";
import type { Schema } from "./schema.ts";

/** How often a transaction is tried beside others, and how often after that with all others waiting. */
const besideOthers = 3;
const maxAttempts = 10;
/** The wait before the second attempt (milliseconds); it doubles from there, and varies so that rivals don't meet again. */
const firstWaitMs = 4;
const maxWaitMs = 250;

/** A serialization failure, and a deadlock. */
const collisions = new Set(["40001", "40P01"]);
/**
 * A key that is taken, a reference that is gone, a transaction that was aborted by an error that the work has caught: each may be
 * the trace of a collision, and is tried once more. If it is not, it comes again.
 */
const traces = new Set(["23505", "23503", "25P02"]);

/** How the running transaction of this call is to begin (postgres.ts); undefined outside of `SerializableKysely.transaction`. */
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
 * A database whose transactions run as if one after another, like SQLite's, which hold the write lock from the start: what collides is
 * rolled back and tried again from the beginning, the later attempts alone. So the work of a transaction must have no effect outside of
 * the database that may not happen twice.
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

/** Repeats a single statement that has collided: what has failed has had no effect. */
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
