import { type ExpressionBuilder, type Selectable, sql } from "kysely";
import { requestContext } from "#server/common/request-context.ts";
import type { Db } from "#server/db/open.ts";
import type { JobTable, JobTask, Schema } from "#server/db/schema.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { releasePiecesOf, takeBackPieces, unleased } from "./lease-queries.ts";
import { reserved } from "./sharing.ts";

export type JobRow = Selectable<JobTable>;

/** `suspect` of a job that was given up and is retried: progress does not clear it. */
export const convicted = 2;

interface NewJob {
  suspect?: number;
  task?: JobTask;
  /** The rest of a dictation, which goes before all files. */
  isUrgent?: boolean;
}

/** Enqueues a job for a transcription; an existing job continues. Finished pieces are kept. */
export async function enqueueJob(
  db: Db,
  transcriptionId: string,
  at: number,
  { suspect = 0, task = "transcribe", isUrgent = false }: NewJob = {},
): Promise<void> {
  await db
    .insertInto("jobs")
    .values({
      transcription_id: transcriptionId,
      created_at: at,
      run_after: at,
      paused: 0,
      failures: 0,
      suspect,
      crashes: 0,
      truncated: 0,
      task,
      urgent: isUrgent ? 1 : 0,
      request_id: requestContext()?.requestId ?? null,
    })
    .onConflict((conflict) => conflict.column("transcription_id").doNothing())
    .execute();
}

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
        .$if(takes !== "suspects", (waiting) => waiting.orderBy("urgent", "desc").orderBy("turn"))
        .orderBy("created_at")
        .limit(1),
    )
    .returningAll()
    .executeTakeFirst();
}

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

/** Free again, and heard by nobody; a message queue has to be told. */
const unclaimed = { ...unleased, sent: 0, shared: 0, heard_as: null } as const;

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

/** Releases the jobs of a worker that has ended because it was asked to. */
export async function releaseJobsOf(db: Db, worker: string): Promise<void> {
  await db.updateTable("jobs").set(unclaimed).where("worker_id", "=", worker).execute();
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

export async function pauseJob(db: Db, id: string, paused: boolean): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ paused: paused ? 1 : 0, sent: 0 })
    .where("transcription_id", "=", id)
    .execute();
}

/** Deletes a job. Its pieces are kept only if it may be retried. */
export async function removeJob(t: Db, id: string, { keepPieces = false } = {}): Promise<void> {
  if (keepPieces) await takeBackPieces(t, id);
  else await t.deleteFrom("pieces").where("transcription_id", "=", id).execute();
  await t.deleteFrom("jobs").where("transcription_id", "=", id).execute();
}

/** Remembers that it is known who speaks. */
export async function noteDiarized(db: Db, id: string): Promise<void> {
  await db.updateTable("jobs").set({ diarized: 1 }).where("transcription_id", "=", id).execute();
}

/** What a transcription's job does; undefined when it has none. */
export async function findJobTask(t: Db, id: string): Promise<JobTask | undefined> {
  const job = await t.selectFrom("jobs").select("task").where("transcription_id", "=", id).executeTakeFirst();
  return job?.task;
}

/** Whether a transcription has a job, running or waiting. */
export async function hasJob(db: Db, id: string): Promise<boolean> {
  const job = await db.selectFrom("jobs").select("transcription_id").where("transcription_id", "=", id).executeTakeFirst();
  return job !== undefined;
}

/** Whether a job still belongs to this worker. */
export async function isJobHeldBy(t: Db, id: string, worker: string | null): Promise<boolean> {
  const held = await t
    .selectFrom("jobs")
    .select("worker_id")
    .where("transcription_id", "=", id)
    .where("worker_id", "=", worker)
    .executeTakeFirst();
  return held !== undefined;
}

/** The ids of a person's transcriptions that have a job, running, waiting or paused. */
export async function listJobIdsOf(t: Db, userId: string): Promise<string[]> {
  const rows = await t
    .selectFrom("jobs")
    .innerJoin("transcriptions", "transcriptions.id", "jobs.transcription_id")
    .where("transcriptions.user_id", "=", userId)
    .select("jobs.transcription_id")
    .execute();
  return rows.map(({ transcription_id }) => transcription_id);
}

/** Which of these transcriptions have a job. */
export async function findJobs(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom("jobs").select("transcription_id").where("transcription_id", "in", ids).execute();
  return rows.map(({ transcription_id }) => transcription_id);
}

/** Jobs that are not paused: how many wait, and how many are running. @param now epoch ms */
export async function countJobs(db: Db, now: number): Promise<{ waiting: number; running: number }> {
  const jobs = await db.selectFrom("jobs").select(["lease_until"]).where("paused", "=", 0).execute();
  const running = jobs.filter(({ lease_until }) => lease_until !== null && lease_until > now).length;
  return { waiting: jobs.length - running, running };
}
