import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { findsAny } from "#server/db/results.ts";
import { requestContext } from "#server/log/request-context.ts";
import type { JobTable, JobTask } from "./tables.ts";

export type JobRow = Selectable<JobTable>;

/** Claimed by no worker. */
export const unleased = { lease_id: null, lease_until: null } as const;

interface NewJob {
  task?: JobTask;
  /** The rest of a dictation, which goes before all files. */
  isUrgent?: boolean;
  /** Recognizes another audio track of the recording, in this language. */
  track?: { number: number; language: string } | undefined;
}

/**
 * Enqueues a job for a transcription; an existing job continues, unless it only checks words. Finished pieces are kept,
 * unless they belong to another audio track.
 */
export async function enqueueJob(
  db: Db,
  transcriptionId: string,
  at: number,
  { task = "transcribe", isUrgent = false, track }: NewJob = {},
): Promise<void> {
  if (track !== undefined) await db.deleteFrom("pieces").where("transcription_id", "=", transcriptionId).execute();
  const other = { track: track?.number ?? null, source_language: track?.language ?? null };
  await db
    .insertInto("jobs")
    .values({
      transcription_id: transcriptionId,
      created_at: at,
      run_after: at,
      paused: 0,
      attempts: 0,
      truncated: 0,
      task,
      urgent: isUrgent ? 1 : 0,
      request_id: requestContext()?.requestId ?? null,
      ...other,
    })
    .onConflict((conflict) =>
      conflict
        .column("transcription_id")
        .doUpdateSet({ ...asNew(at), task, ...other, diarized: 0, ...(track && { decoded_samples: null }) })
        .where("jobs.task", "=", "check"),
    )
    .execute();
}

/**
 * Changes the job of a finished transcription to the check of its words: it is released, and goes behind all others.
 */
export async function checkNext(t: Db, id: string, at: number): Promise<void> {
  await t
    .updateTable("jobs")
    .set({ ...asNew(at), ...unleased, task: "check", track: null, source_language: null })
    .where("transcription_id", "=", id)
    .execute();
}

/** The state of a job that still needs its rank. */
const asNew = (at: number) => ({ created_at: at, run_after: at, rank: null, urgent: 0, attempts: 0, interruptions: 0 }) as const;

export async function pauseJob(db: Db, id: string, paused: boolean): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ paused: paused ? 1 : 0 })
    .where("transcription_id", "=", id)
    .execute();
}

/** Deletes a job. Its pieces are kept only if it may be retried. */
export async function removeJob(t: Db, id: string, { keepPieces = false } = {}): Promise<void> {
  if (!keepPieces) await t.deleteFrom("pieces").where("transcription_id", "=", id).execute();
  await t.deleteFrom("jobs").where("transcription_id", "=", id).execute();
}

/** Remembers that it is known who speaks. */
export async function noteDiarized(db: Db, id: string): Promise<void> {
  await db.updateTable("jobs").set({ diarized: 1 }).where("transcription_id", "=", id).execute();
}

/** A transcription's job; undefined when it has none. */
export function findJob(t: Db, id: string): Promise<JobRow | undefined> {
  return t.selectFrom("jobs").selectAll().where("transcription_id", "=", id).executeTakeFirst();
}

/** The task of a transcription's job; undefined without one. */
export const findJobTask = async (t: Db, id: string): Promise<JobTask | undefined> => (await findJob(t, id))?.task;

/** Whether a transcription has a job, running or waiting. */
export function hasJob(db: Db, id: string): Promise<boolean> {
  return findsAny(db.selectFrom("jobs").select("transcription_id").where("transcription_id", "=", id));
}

/** Whether a job is still leased as it was when it was claimed. */
export function isLeased(t: Db, { transcription_id, lease_id }: JobRow): Promise<boolean> {
  return findsAny(
    t.selectFrom("jobs").select("lease_id").where("transcription_id", "=", transcription_id).where("lease_id", "=", lease_id),
  );
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

/** Filters the transcriptions that have a job. */
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
