import { type ExpressionBuilder, sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { blockedTranscriptions, maxCrashes, maxKills } from "./claim-queries.ts";
import { releasePiecesOf, unclaimed, unleased } from "./lease-queries.ts";
import { reserved } from "./sharing.ts";

// Which job a process has died of: all that it was running are suspects, until each has shown alone that it was not the cause.

/** `suspect` of a job that was given up and is retried: progress does not clear it. */
export const convicted = 2;

/** Whether a suspect could be claimed at `now` (epoch ms). */
export async function hasWaitingSuspect(db: Db, now: number): Promise<boolean> {
  const found = await db
    .selectFrom("jobs")
    .select("transcription_id")
    .where("paused", "=", 0)
    .where("run_after", "<=", now)
    .where("worker_id", "is", null)
    .where("crashes", "<", maxCrashes)
    .where("kills", "<", maxKills)
    .where("transcription_id", "not in", blockedTranscriptions)
    .where("suspect", ">", 0)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Jobs that have reached `maxCrashes` or `maxKills`. */
export async function listGivenUp(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom("jobs")
    .select("transcription_id")
    .where(({ or, eb }) => or([eb("crashes", ">=", maxCrashes), eb("kills", ">=", maxKills)]))
    .execute();
  return rows.map(({ transcription_id }) => transcription_id);
}

/** Longest wait after a process was ended from outside, in multiples of the first. */
const longestWait = 10;

/** One more end from outside: the job waits longer each time, so that others come first. @param at epoch ms */
const killedOnceMore = (eb: ExpressionBuilder<Schema, "jobs">, at: number, waitMs: number) => {
  const waits = eb
    .case()
    .when("kills", "<", longestWait)
    .then(eb("kills", "+", 1))
    .else(longestWait)
    .end();
  return { kills: eb("kills", "+", 1), run_after: sql<number>`cast(${at} as bigint) + ${waits} * ${waitMs}` };
};

interface Death {
  /** Epoch milliseconds. */
  at: number;
  /** Wait before the next attempt, for each time in a row. Default 1,000 ms. */
  waitMs?: number;
}

/**
 * Takes the jobs of a dead worker. Any of them may have crashed it, or none: all become suspects, without counting a crash. Those that
 * were suspects already ran alone, beside a server that has died with them: that is noted, and proves little. The same is true of the
 * jobs of which it heard a piece for another worker: that one has the job no more. Whoever goes on begins with the pieces that the dead
 * worker was at.
 * @param onlyExpired only leases expired by `at`
 */
export async function suspectJobsOf(
  db: Db,
  worker: string,
  { at, waitMs = 1_000, onlyExpired = false }: Death & { onlyExpired?: boolean },
): Promise<void> {
  await inTransaction(db, async (t) => {
    const held = () =>
      t
        .updateTable("jobs")
        .where("worker_id", "=", worker)
        .$if(onlyExpired, (jobs) => jobs.where("lease_until", "<=", at));
    await held()
      .where("suspect", ">", 0)
      .set((eb) => ({ ...killedOnceMore(eb, at, waitMs), ...unclaimed }))
      .execute();
    await held()
      .set({ suspect: 1, ...unclaimed })
      .execute();
    const pieces = await t
      .updateTable("pieces")
      .set({ ...unleased, reserved: reserved.asSuspect })
      .where("worker_id", "=", worker)
      .$if(onlyExpired, (leased) => leased.where("lease_until", "<=", at))
      .returning("transcription_id")
      .execute();
    const helped = [...new Set(pieces.map(({ transcription_id }) => transcription_id))];
    if (helped.length === 0) return;
    await t
      .updateTable("jobs")
      .set({ suspect: 1, ...unclaimed })
      .where("transcription_id", "in", helped)
      .where("suspect", "=", 0)
      .execute();
  });
}

/** The quarantine process has died by itself while its server lives: counts a crash of the one job that it was running. */
export async function blameJobsOf(db: Db, worker: string): Promise<void> {
  await db
    .updateTable("jobs")
    .set((eb) => ({ crashes: eb("crashes", "+", 1), ...unclaimed }))
    .where("worker_id", "=", worker)
    .execute();
  await releasePiecesOf(db, worker);
}

/** The quarantine process was ended from outside: that says little about the job that it was running. */
export async function excuseJobsOf(db: Db, worker: string, { at, waitMs = 1_000 }: Death): Promise<void> {
  await db
    .updateTable("jobs")
    .set((eb) => ({ ...killedOnceMore(eb, at, waitMs), ...unclaimed }))
    .where("worker_id", "=", worker)
    .execute();
  await releasePiecesOf(db, worker);
}

/** Progress resets every count: the job did not cause the crash, or is past the part that did. */
export async function clearSuspicion(db: Db, id: string, worker: string): Promise<void> {
  await db
    .updateTable("jobs")
    .set(({ eb }) => ({
      crashes: 0,
      kills: 0,
      failures: 0,
      suspect: eb.case().when("suspect", "=", convicted).then(convicted).else(0).end(),
    }))
    .where("transcription_id", "=", id)
    .where("worker_id", "=", worker)
    .execute();
}
