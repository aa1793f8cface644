import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import { blockedTranscriptions, type Claim } from "./claim-queries.ts";
import type { JobRow } from "./queries.ts";
import { lineUp } from "./turn-queries.ts";

// What the message queue (boss-queue.ts) has to know of the rows. PostgreSQL only.

/** How many jobs are sent at once. */
const portion = 500;

/** A job that the message queue does not have yet. */
export interface Unsent {
  id: string;
  /** The person's id. */
  person: string;
  turn: number;
  isUrgent: boolean;
  /** Whether it goes behind all others: it checks the words of what is finished. */
  isLast: boolean;
  /** Its recording has to be downloaded first. */
  isFar: boolean;
}

/** Only one process sends at a time: the number of PostgreSQL's advisory lock. */
const sendingLock = 7_310_033;

/** Free and due. */
const waiting = (db: Db, now: number) =>
  db
    .selectFrom("jobs")
    .where("jobs.worker_id", "is", null)
    .where("jobs.paused", "=", 0)
    .where("jobs.suspect", "=", 0)
    .where("jobs.run_after", "<=", now)
    .where("jobs.transcription_id", "not in", blockedTranscriptions);

const unsent = (db: Db, now: number) => waiting(db, now).where("jobs.sent", "=", 0);

export async function hasWaiting(db: Db, now: number): Promise<boolean> {
  return (await waiting(db, now).select("jobs.transcription_id").limit(1).executeTakeFirst()) !== undefined;
}

export async function hasUnsent(db: Db, now: number): Promise<boolean> {
  return (await unsent(db, now).select("jobs.transcription_id").limit(1).executeTakeFirst()) !== undefined;
}

/**
 * Gives those that are due to `send`, each once: what that writes is committed together with the note that they are sent. Another
 * process that is at it already is left alone. @param now epoch ms
 */
export async function sendDue(db: Db, now: number, send: (t: Db, due: readonly Unsent[]) => Promise<void>): Promise<void> {
  await db.transaction().execute(async (t) => {
    const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${sendingLock}) as free`.execute(t);
    if (rows[0]?.free !== true) return;
    await lineUp(t);
    const due = await unsent(t, now)
      .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
      .leftJoin("fetches", "fetches.transcription_id", "jobs.transcription_id")
      .select([
        "jobs.transcription_id as id",
        "transcriptions.user_id as person",
        "jobs.turn",
        "jobs.urgent",
        "jobs.task",
        "fetches.url",
      ])
      .orderBy("jobs.turn")
      .orderBy("jobs.created_at")
      .limit(portion)
      .execute();
    if (due.length === 0) return;
    const ids = due.map(({ id }) => id);
    await t.updateTable("jobs").set({ sent: 1 }).where("transcription_id", "in", ids).execute();
    await send(
      t,
      due.map(({ id, person, turn, urgent, task, url }) => ({
        id,
        person,
        turn: turn ?? 0,
        isUrgent: urgent === 1,
        isLast: task === "check",
        isFar: url !== null,
      })),
    );
  });
}

/** Claims the job that a message names; undefined when it is gone, held, paused, suspect or a blocked person's. */
export function claimSent(db: Db, id: string, { worker, now, leaseUntil }: Claim): Promise<JobRow | undefined> {
  return db
    .updateTable("jobs")
    .set({ worker_id: worker, lease_until: leaseUntil })
    .where("transcription_id", "=", id)
    .where("worker_id", "is", null)
    .where("paused", "=", 0)
    .where("suspect", "=", 0)
    .where("run_after", "<=", now)
    .where("transcription_id", "not in", blockedTranscriptions)
    .returningAll()
    .executeTakeFirst();
}

/** The message of a job that nobody has is gone: it is sent again when it is due. */
export async function markUnsent(db: Db, id: string): Promise<void> {
  await db.updateTable("jobs").set({ sent: 0 }).where("transcription_id", "=", id).where("worker_id", "is", null).execute();
}

/**
 * The queue is empty: whatever was sent and is free all the same has lost its message, with a worker that died before it could claim
 * the job, or by a restore without pg-boss's own tables. It is sent again; should there be two messages, the second finds the job taken.
 * @param dueBefore epoch ms
 * @returns whether there is any
 */
export async function markLost(db: Db, dueBefore: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ sent: 0 })
    .where("sent", "=", 1)
    .where("worker_id", "is", null)
    .where("paused", "=", 0)
    .where("suspect", "=", 0)
    .where("run_after", "<", dueBefore)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
