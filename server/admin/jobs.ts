import type { InferOutput } from "valibot";
import type { AdminJob, AdminJobsAnswer, JobsQuery } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Worker } from "#server/jobs/worker.ts";
import { failJob } from "#server/processing/failure.ts";
import type { Diarizer, SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Threads } from "#server/threads/threads.ts";
import type { Translator } from "#server/transcription/translator.ts";
import { updateTranscription } from "#server/transcription/update.ts";
import { findFetch } from "#server/uploads/fetch-queries.ts";
import { cancelled } from "./accounts.ts";
import { audit } from "./audit.ts";
import { countJobsFound, findJobOverview, type JobOverview, listJobOverviews } from "./job-queries.ts";
import { pageOf } from "./paging.ts";

export interface AdminJobParts extends DbParts {
  storage: Storage;
  translator: Translator;
  diarizer: Diarizer;
  engines: SpeechEngines;
  worker: Worker;
  usage: UsageMeter;
  threads: Threads;
}

/** One page of the jobs, the newest first. */
export async function listJobs(
  deps: AdminJobParts,
  { state, ...paging }: InferOutput<typeof JobsQuery>,
): Promise<AdminJobsAnswer> {
  const filter = { state, now: deps.now() };
  const { pagination, offset } = pageOf(paging, await countJobsFound(deps.db, filter));
  const rows = await listJobOverviews(deps.db, filter, { limit: paging.limit, offset });
  return { jobs: await Promise.all(rows.map((row) => viewOf(deps, row))), pagination };
}

async function viewOf(deps: AdminJobParts, row: JobOverview): Promise<AdminJob> {
  const failed = row.state === "failed";
  return {
    id: row.id,
    userId: row.user_id,
    email: row.email,
    state: row.state,
    origin: row.origin,
    language: row.source_language,
    engine: row.engine,
    durationSeconds: row.duration_seconds,
    stage: row.stage,
    fraction: row.fraction ?? 0,
    failures: row.failures,
    error: failed ? row.error_code : null,
    createdAt: new Date(row.created_at ?? row.date).toISOString(),
    canRetry: failed && (await hasAudio(deps, row)),
  };
}

/** Whether its audio exists, or can be fetched. */
async function hasAudio({ db, storage }: AdminJobParts, { id, origin }: Pick<JobOverview, "id" | "origin">): Promise<boolean> {
  return (await storage.audio(id)) !== undefined || (origin === "url" && (await findFetch(db, id)) !== undefined);
}

/**
 * Retries a failed job, as its owner could.
 * @throws Problem `notFound`, `conflict` when it has not failed, `gone` without its audio, `limitReached` (its owner's)
 */
export async function retryJob(deps: AdminJobParts, id: string, actor: { id: string; email: string }): Promise<AdminJob> {
  const row = await findJob(deps, id);
  if (row.state !== "failed") throw new Problem("conflict", "This job did not fail.");
  if (!(await hasAudio(deps, row))) throw new Problem("gone", "The audio of this job no longer exists.");
  const { status } = (await updateTranscription(deps, row.user_id, id, { retry: true })).row;
  const user = { id: row.user_id, email: row.email };
  const states = { before: { status: "failed" }, after: { status } };
  await audit(deps.db, { at: deps.now(), action: "retryJob", actor, user, ...states, reason: id });
  deps.worker.wake();
  return viewOf(deps, await findJob(deps, id));
}

/**
 * Cancels a running or waiting job: it has failed, and its owner sees the reason and may restart it.
 * @throws Problem `notFound`, `conflict` if it has already failed
 */
export async function cancelJob(deps: AdminJobParts, id: string, actor: { id: string; email: string }): Promise<AdminJob> {
  const row = await findJob(deps, id);
  if (row.state === "failed") throw new Problem("conflict", "This job is no longer running.");
  await failJob(deps, id, cancelled);
  const user = { id: row.user_id, email: row.email };
  const states = { before: { status: row.state }, after: { status: "failed" } };
  await audit(deps.db, { at: deps.now(), action: "cancelJob", actor, user, ...states, reason: id });
  deps.worker.check();
  return viewOf(deps, await findJob(deps, id));
}

async function findJob({ db, now }: DbParts, id: string): Promise<JobOverview> {
  const row = await findJobOverview(db, id, now());
  if (row === undefined) throw new Problem("notFound", "This job does not exist.");
  return row;
}
