import { randomUUID } from "node:crypto";
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { Schema } from "#server/db/schema.ts";
import { type JobRow, unleased } from "./queries.ts";

// Claims of jobs: claimed, kept by a heartbeat, released. A claim of a job whose lease has expired counts as an
// interruption.

/** So many interruptions in a row, without progress, end a job: it may be what ends the server. */
export const maxInterruptions = 8;
/**
 * The ms of the wait after the second interruption in sequence, doubled for each further one, so that eight
 * interruptions take longer than seconds.
 */
export const interruptedMs = 1_000;

export interface Claim {
  /** Skips jobs whose recording has to be downloaded first. */
  withoutFetches: boolean;
  /**
   * Only jobs that must not wait for the long files that occupy this worker: urgent jobs, and jobs of people without a
   * running one.
   */
  onlyNewcomers: boolean;
  now: number;
  /** When the lease expires without a heartbeat (epoch ms). */
  leaseUntil: number;
  /** For tests. Default: `interruptedMs`. */
  interruptedMs?: number | undefined;
}

/**
 * The maximum number of one person's concurrent downloads in a worker, so that a hanging server does not block others.
 */
export const fetchesPerUser = 4;

/** When a job waits. */
export type Due = Pick<Claim, "now" | "interruptedMs">;

type Condition = (eb: ExpressionBuilder<Schema, "jobs">) => ExpressionWrapper<Schema, "jobs", SqlBool>;

/**
 * Not paused, due, and unclaimed. Jobs of blocked accounts (from an interrupted recording) wait until the account is
 * unblocked.
 */
export function isWaiting({ now, interruptedMs: waitMs = interruptedMs }: Due): Condition {
  const doubled = sql<number>`1 << cast(jobs.interruptions - 1 as integer)`;
  const wait = sql<number>`case when jobs.interruptions = 0 then 0 else cast(${waitMs} as bigint) * (${doubled}) end`;
  return (eb) =>
    eb.and([
      eb("jobs.paused", "=", 0),
      eb("jobs.run_after", "<=", now),
      eb.or([eb("jobs.lease_id", "is", null), eb(eb("jobs.lease_until", "+", wait), "<=", now)]),
      eb("jobs.transcription_id", "not in", blockedTranscriptions),
    ]);
}

const blockedTranscriptions = ({ selectFrom }: ExpressionBuilder<Schema, "jobs">) =>
  selectFrom("transcriptions")
    .innerJoin("users", "users.id", "transcriptions.user_id")
    .where("users.blocked_at", "is not", null)
    .select("transcriptions.id");

/** Whether the job's person has no running job. */
const belongsToNewcomer = ({ exists, not, selectFrom }: ExpressionBuilder<Schema, "jobs">) =>
  not(
    exists(
      selectFrom("jobs as running")
        .innerJoin("transcriptions as theirs", "theirs.id", "running.transcription_id")
        .innerJoin("transcriptions as own", "own.user_id", "theirs.user_id")
        .whereRef("own.id", "=", "jobs.transcription_id")
        .where("running.lease_id", "is not", null)
        .select("running.transcription_id"),
    ),
  );

/** Downloads of people who already have the maximum number of downloads. */
const fetchesTooMany = ({ selectFrom }: ExpressionBuilder<Schema, "jobs">) =>
  selectFrom("fetches")
    .innerJoin("transcriptions as wanted", "wanted.id", "fetches.transcription_id")
    .where("wanted.user_id", "in", (eb) =>
      eb
        .selectFrom("fetches as begun")
        .innerJoin("jobs as running", "running.transcription_id", "begun.transcription_id")
        .innerJoin("transcriptions as theirs", "theirs.id", "begun.transcription_id")
        .where("running.lease_id", "is not", null)
        .groupBy("theirs.user_id")
        .having((of) => of.fn.countAll(), ">=", fetchesPerUser)
        .select("theirs.user_id"),
    )
    .select("fetches.transcription_id");

/** Claims the waiting job that is next. */
export async function claimNext(db: Db, claim: Claim): Promise<JobRow | undefined> {
  const next = await db
    .selectFrom("jobs")
    .select("transcription_id")
    .where(isWaiting(claim))
    .$if(claim.withoutFetches, (waiting) =>
      waiting.where("transcription_id", "not in", ({ selectFrom }) => selectFrom("fetches").select("transcription_id")),
    )
    .where("transcription_id", "not in", fetchesTooMany)
    .$if(claim.onlyNewcomers, (waiting) => waiting.where((eb) => eb.or([eb("urgent", "=", 1), belongsToNewcomer(eb)])))
    .orderBy((eb) => eb("task", "=", "check"))
    .orderBy("urgent", "desc")
    .orderBy("rank")
    .orderBy("created_at")
    .limit(1)
    .executeTakeFirst();
  return next && claimJob(db, next.transcription_id, claim);
}

/** Claims a job; undefined when it does not wait (any more). */
export function claimJob(db: Db, id: string, claim: Due & Pick<Claim, "leaseUntil">): Promise<JobRow | undefined> {
  return db
    .updateTable("jobs")
    .set(({ eb }) => ({
      lease_id: randomUUID(),
      lease_until: claim.leaseUntil,
      interruptions: eb
        .case()
        .when("lease_id", "is", null)
        .then(eb.ref("interruptions"))
        .else(eb("interruptions", "+", 1))
        .end(),
    }))
    .where("transcription_id", "=", id)
    .where(isWaiting(claim))
    .returningAll()
    .executeTakeFirst();
}

/** Renews the lease. False if the job no longer belongs to this claim: deleted, paused or claimed again. */
export function keepJob(db: Db, { transcription_id, lease_id }: JobRow, leaseUntil: number): Promise<boolean> {
  return affectsAny(
    db
      .updateTable("jobs")
      .set({ lease_until: leaseUntil })
      .where("transcription_id", "=", transcription_id)
      .where("lease_id", "=", lease_id)
      .where("paused", "=", 0),
  );
}

interface Failed {
  attempts: number;
  /** When it is tried again (epoch ms). */
  runAfter: number;
}

/**
 * Releases a job: after a failed attempt behind what that person has waiting, else where it was.
 * @returns false when another has taken it
 */
export function releaseJob(db: Db, { transcription_id, lease_id }: JobRow, failed?: Failed): Promise<boolean> {
  return affectsAny(
    db
      .updateTable("jobs")
      .set({ ...unleased, ...(failed && { attempts: failed.attempts, run_after: failed.runAfter, rank: null }) })
      .where("transcription_id", "=", transcription_id)
      .where("lease_id", "=", lease_id),
  );
}

/** Progress resets the counts of attempts and interruptions. */
export async function noteProgress(db: Db, { transcription_id, lease_id }: JobRow): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ attempts: 0, interruptions: 0 })
    .where("transcription_id", "=", transcription_id)
    .where("lease_id", "=", lease_id)
    .execute();
}

/** For a start on a database that no other process uses: all holders of leases have died. */
export async function expireLeases(db: Db, now: number): Promise<void> {
  await db.updateTable("jobs").set({ lease_until: now }).where("lease_id", "is not", null).execute();
}
