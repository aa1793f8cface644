import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import { findsAny } from "#server/db/results.ts";
import { type Due, isWaiting } from "./claim-queries.ts";
import { rankArrived } from "./fairness-queries.ts";

// Finds the rows of `jobs` without a message of pg-boss (boss-queue.ts). PostgreSQL only.

/** The number of jobs that are sent at once. */
const portion = 500;

/** A job without a message. */
export interface Unsent {
  id: string;
  /** The person's id. */
  person: string;
  rank: number;
  isUrgent: boolean;
  /** Whether it goes behind all others: it checks the words of a finished transcription. */
  isLast: boolean;
  /** Its recording must be downloaded first. */
  isFar: boolean;
}

/** The number of PostgreSQL's advisory lock, so that only one process sends at a time. */
const sendingLock = 7_310_033;

/** Waiting, or on its way to a worker, or with one. */
const hasMessage = sql<boolean>`exists (
  select 1 from pgboss.job as message where message.singleton_key = jobs.transcription_id and message.state <= 'active')`;

const unsent = (db: Db, due: Due) =>
  db
    .selectFrom("jobs")
    .where(isWaiting(due))
    .where(({ not }) => not(hasMessage));

/** Whether a job waits, with a message or without. */
export function hasWaiting(db: Db, due: Due): Promise<boolean> {
  return findsAny(db.selectFrom("jobs").where(isWaiting(due)).select("transcription_id").limit(1));
}

/** Whether a job waits without a message. */
export function hasUnsent(db: Db, due: Due): Promise<boolean> {
  return findsAny(unsent(db, due).select("transcription_id").limit(1));
}

/** Gives the jobs without a message to `send`. Does nothing while another process does. */
export async function sendDue(db: Db, due: Due, send: (t: Db, jobs: readonly Unsent[]) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (t) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${sendingLock}) as free`.execute(t);
    if (rows[0]?.free !== true) return;
    await rankArrived(t);
    const jobs = await unsent(t, due)
      .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
      .leftJoin("fetches", "fetches.transcription_id", "jobs.transcription_id")
      .select(["jobs.transcription_id", "transcriptions.user_id", "jobs.rank", "jobs.urgent", "jobs.task", "fetches.url"])
      .orderBy("jobs.rank")
      .orderBy("jobs.created_at")
      .limit(portion)
      .execute();
    await send(
      t,
      jobs.map(({ transcription_id: id, user_id: person, rank, urgent, task, url }) => {
        return { id, person, rank: rank ?? 0, isUrgent: urgent === 1, isLast: task === "check", isFar: url !== null };
      }),
    );
  });
}
