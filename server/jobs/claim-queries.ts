import type { ExpressionBuilder } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema.ts";
import { releasePiecesOf, unclaimed, unleased } from "./lease-queries.ts";
import type { JobRow } from "./queries.ts";

// Which worker has which job: claimed, kept by its heartbeat, released.

/** How often a job may crash the quarantine process before it is given up. */
export const maxCrashes = 3;
/**
 * How often in a row, without progress, a process that runs a job alone may be ended from outside before the job counts as the cause:
 * where the system does not say that it was short of memory, this is all that can be known.
 */
export const maxKills = 30;

/** Which jobs a worker claims: those not suspected of crashing the process, the suspects, or both. */
export type JobKind = "unsuspected" | "suspects" | "all";

export interface Claim {
  worker: string;
  takes: JobKind;
  /** Skips jobs whose recording has to be downloaded first. */
  withoutFetches: boolean;
  /** Only what must not wait for one of the long files that keep this worker busy: urgent jobs, and of people who have none running. */
  onlyNewcomers: boolean;
  now: number;
  /** When the lease expires without a heartbeat (epoch ms). */
  leaseUntil: number;
}

/** Of blocked accounts: what comes to them (from a recording that was cut off) waits until they are open again. */
export const blockedTranscriptions = ({ selectFrom }: ExpressionBuilder<Schema, "jobs">) =>
  selectFrom("transcriptions")
    .innerJoin("users", "users.id", "transcriptions.user_id")
    .where("users.blocked_at", "is not", null)
    .select("transcriptions.id");

/** Whether somebody has no job running. */
const belongsToNewcomer = ({ exists, not, selectFrom }: ExpressionBuilder<Schema, "jobs">) =>
  not(
    exists(
      selectFrom("jobs as running")
        .innerJoin("transcriptions as theirs", "theirs.id", "running.transcription_id")
        .innerJoin("transcriptions as own", "own.user_id", "theirs.user_id")
        .whereRef("own.id", "=", "jobs.transcription_id")
        .where("running.worker_id", "is not", null)
        .select("running.transcription_id"),
    ),
  );

/**
 * Claims the waiting job whose turn it is for one worker. Among suspects, those that wait for no remote server and have crashed least
 * come first.
 */
export function claimJob(
  db: Db,
  { worker, takes, withoutFetches, onlyNewcomers, now, leaseUntil }: Claim,
): Promise<JobRow | undefined> {
  return db
    .updateTable("jobs")
    .set({ worker_id: worker, lease_until: leaseUntil })
    .where("transcription_id", "=", ({ selectFrom }) =>
      selectFrom("jobs")
        .select("transcription_id")
        .where("paused", "=", 0)
        .where("run_after", "<=", now)
        .where("worker_id", "is", null)
        .where("crashes", "<", maxCrashes)
        .where("kills", "<", maxKills)
        .where("transcription_id", "not in", blockedTranscriptions)
        .$if(takes !== "all", (waiting) => waiting.where("suspect", takes === "suspects" ? ">" : "=", 0))
        .$if(withoutFetches, (waiting) =>
          waiting.where("transcription_id", "not in", ({ selectFrom: from }) => from("fetches").select("transcription_id")),
        )
        .$if(onlyNewcomers, (waiting) => waiting.where((eb) => eb.or([eb("urgent", "=", 1), belongsToNewcomer(eb)])))
        .$if(takes === "suspects", (waiting) =>
          waiting
            .orderBy(({ eb, selectFrom: from }) => eb("transcription_id", "in", from("fetches").select("transcription_id")))
            .orderBy("suspect")
            .orderBy("crashes")
            .orderBy("kills"),
        )
        .$if(takes !== "suspects", (waiting) =>
          waiting
            .orderBy((eb) => eb("task", "=", "check"))
            .orderBy("urgent", "desc")
            .orderBy("turn"),
        )
        .orderBy("created_at")
        .limit(1),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Renews the lease. Undefined when the job no longer belongs to this worker: deleted, paused or taken over. */
export function keepJob(db: Db, id: string, worker: string, leaseUntil: number): Promise<Pick<JobRow, "shared"> | undefined> {
  return db
    .updateTable("jobs")
    .set({ lease_until: leaseUntil })
    .where("transcription_id", "=", id)
    .where("worker_id", "=", worker)
    .where("paused", "=", 0)
    .returning("shared")
    .executeTakeFirst();
}

/** Releases a job without counting a failure; it can be claimed again after `runAfter`. */
export async function releaseJob(
  db: Db,
  id: string,
  worker: string,
  change: { runAfter?: number; failures?: number } = {},
): Promise<void> {
  await db
    .updateTable("jobs")
    .set({
      ...unclaimed,
      ...(change.runAfter === undefined ? {} : { run_after: change.runAfter }),
      // Who tries again stands behind what that person has waiting, once more at the end of the line.
      ...(change.failures === undefined ? {} : { failures: change.failures, turn: null }),
    })
    .where("transcription_id", "=", id)
    .where("worker_id", "=", worker)
    .execute();
}

/**
 * Releases what has expired and a worker failed to release itself (a full disk).
 * @param busyWith ids of the jobs that it is running, its own and those of which it hears a piece for another worker
 */
export async function releaseForgotten(db: Db, worker: string, busyWith: readonly string[], now: number): Promise<void> {
  await db
    .updateTable("pieces")
    .set(unleased)
    .where("worker_id", "=", worker)
    .where("lease_until", "<=", now)
    .$if(busyWith.length > 0, (held) => held.where("transcription_id", "not in", busyWith))
    .execute();
  await db
    .updateTable("jobs")
    .set(unclaimed)
    .where("worker_id", "=", worker)
    .where("lease_until", "<=", now)
    .$if(busyWith.length > 0, (held) => held.where("transcription_id", "not in", busyWith))
    .execute();
}

/** The workers that hold a lease, of a job or a piece, or only those of whom one has expired by `expiredAt` (epoch ms). */
export async function listWorkers(db: Db, expiredAt?: number): Promise<string[]> {
  const pieces = db
    .selectFrom("pieces")
    .select("worker_id")
    .where("worker_id", "is not", null)
    .$if(expiredAt !== undefined, (held) => held.where("lease_until", "<=", expiredAt ?? 0));
  const rows = await db
    .selectFrom("jobs")
    .select("worker_id")
    .where("worker_id", "is not", null)
    .$if(expiredAt !== undefined, (held) => held.where("lease_until", "<=", expiredAt ?? 0))
    .union(pieces)
    .execute();
  return rows.flatMap(({ worker_id }) => (worker_id === null ? [] : [worker_id]));
}

/** Releases the jobs of a worker that has ended because it was asked to. */
export async function releaseJobsOf(db: Db, worker: string): Promise<void> {
  await db.updateTable("jobs").set(unclaimed).where("worker_id", "=", worker).execute();
  await releasePiecesOf(db, worker);
}
