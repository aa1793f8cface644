import { stat } from "node:fs/promises";
import { sql } from "kysely";
import type { InferOutput } from "valibot";
import type { AdminJob, AdminJobsAnswer, JobsQuery } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { Problem } from "#server/problem.ts";
import type { Storage } from "#server/storage.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { Translator } from "#server/transcription/translator.ts";
import { updateTranscription } from "#server/transcription/update.ts";
import { findFetch } from "#server/uploads/fetch-queries.ts";
import { audit } from "./audit.ts";
import { pageOf } from "./paging.ts";

type State = AdminJob["state"];

/** Transcriptions that are being made, or have failed, with who they belong to. What was deleted is nobody's business any more. */
function jobsIn(db: Db, now: number) {
  const isMade = db
    .selectFrom("transcriptions")
    .innerJoin("users", "users.id", "transcriptions.user_id")
    .innerJoin("jobs", "jobs.transcription_id", "transcriptions.id")
    .where("transcriptions.deleted_at", "is", null)
    .select((eb) => [
      ...columns,
      eb.ref("jobs.failures").$castTo<number | null>().as("failures"),
      eb.ref("jobs.created_at").$castTo<number | null>().as("created_at"),
      eb.case().when("jobs.lease_until", ">", now).then<State>("running").else<State>("waiting").end().as("state"),
    ]);
  const hasFailed = db
    .selectFrom("transcriptions")
    .innerJoin("users", "users.id", "transcriptions.user_id")
    .where("transcriptions.status", "=", "failed")
    .where("transcriptions.deleted_at", "is", null)
    .select((eb) => [
      ...columns,
      sql<number | null>`null`.as("failures"),
      sql<number | null>`null`.as("created_at"),
      eb.val<State>("failed").as("state"),
    ]);
  return db.selectFrom(isMade.unionAll(hasFailed).as("found"));
}

const columns = [
  ...(["transcriptions.id", "transcriptions.user_id", "users.email", "transcriptions.origin"] as const),
  ...(["transcriptions.source_language", "transcriptions.engine", "transcriptions.duration_seconds"] as const),
  ...(["transcriptions.stage", "transcriptions.fraction", "transcriptions.error_code", "transcriptions.date"] as const),
] as const;

const rowsIn = (db: Db, now: number) => jobsIn(db, now).selectAll();
type Row = Awaited<ReturnType<ReturnType<typeof rowsIn>["execute"]>>[number];

/** One page of the jobs, the newest first. */
export async function listJobs(
  deps: { db: Db; now: () => number; storage: Storage },
  { state, ...paging }: InferOutput<typeof JobsQuery>,
): Promise<AdminJobsAnswer> {
  const all = jobsIn(deps.db, deps.now());
  const found = state === "all" ? all : all.where("state", "=", state);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const { pagination, offset } = pageOf(paging, Number(total));
  const newest = found.selectAll().orderBy("date", "desc").orderBy("id", "desc");
  const rows = await newest.limit(paging.limit).offset(offset).execute();
  return { jobs: await Promise.all(rows.map((row) => viewOf(deps, row))), pagination };
}

async function viewOf(deps: { db: Db; storage: Storage }, row: Row): Promise<AdminJob> {
  const failed = row.state === "failed";
  return {
    ...{ id: row.id, userId: row.user_id, email: row.email, state: row.state, origin: row.origin },
    ...{ language: row.source_language, engine: row.engine, durationSeconds: row.duration_seconds },
    ...{ stage: row.stage, fraction: row.fraction ?? 0, failures: row.failures },
    error: failed ? row.error_code : null,
    createdAt: new Date(row.created_at ?? row.date).toISOString(),
    canRetry: failed && (await hasAudio(deps, row)),
  };
}

/** Whether there is anything to recognise: its audio, or where that is to be fetched. */
async function hasAudio(
  { db, storage }: { db: Db; storage: Storage },
  { id, origin }: Pick<Row, "id" | "origin">,
): Promise<boolean> {
  const found = await stat(storage.audioPath(id)).then(
    () => true,
    () => false,
  );
  return found || (origin === "url" && (await findFetch(db, id)) !== undefined);
}

/**
 * Sets a failed job going again, as its owner could.
 * @throws Problem `notFound`, `conflict` when it has not failed, `gone` without its audio, `limitReached` (its owner's)
 */
export async function retryJob(
  deps: {
    db: Db;
    now: () => number;
    storage: Storage;
    translator: Translator;
    worker: Worker;
    usage: UsageMeter;
    threads: Threads;
  },
  id: string,
  actor: { id: string; email: string },
): Promise<AdminJob> {
  const row = await findJob(deps, id);
  if (row.state !== "failed") throw new Problem("conflict", "This job has not failed.");
  if (!(await hasAudio(deps, row))) throw new Problem("gone", "The audio of this job is not there any more.");
  const { status } = await updateTranscription(deps, row.user_id, id, { retry: true });
  const user = { id: row.user_id, email: row.email };
  const states = { before: { status: "failed" }, after: { status } };
  await audit(deps.db, { at: deps.now(), action: "retryJob", actor, user, ...states, reason: id });
  deps.worker.wake();
  return viewOf(deps, await findJob(deps, id));
}

async function findJob({ db, now }: { db: Db; now: () => number }, id: string): Promise<Row> {
  const row = await rowsIn(db, now()).where("id", "=", id).executeTakeFirst();
  if (row === undefined) throw new Problem("notFound", "There is no such job.");
  return row;
}
