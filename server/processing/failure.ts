import type { ErrorCode } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { isDiskFull, Problem, sentenceOf } from "#server/errors/problem.ts";
import { RemoteError } from "#server/http/remote.ts";
import { findJob, isLeased, type JobRow, removeJob } from "#server/jobs/queries.ts";
import { FetchProblem } from "#server/outbound/fetch-problem.ts";
import { AudioError, SpeechError } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import { jobSource, sourceOf } from "#server/subscription/usage.ts";
import { removeUsage } from "#server/subscription/usage-queries.ts";
import { changeTranscription } from "#server/transcription/queries.ts";

interface FailParts {
  db: Db;
  storage: Pick<Storage, "removePcm">;
}

/** Why a job failed: the page translates the code; the API and administrators also get the message. */
export interface Failure {
  code: ErrorCode;
  message: string;
  /** A retry would fail the same way. */
  permanent: boolean;
}

const hopeless: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "crashed",
  "notAudio",
  "emptyFile",
  "noSound",
  "truncated",
  "languageUnavailable",
  "translationUnavailable",
  "limitReached",
  "tooLarge",
  "tooLong",
  "urlRefused",
]);

export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  // The operator of an external server needs to know which one failed, and what to check.
  const isRemote = error instanceof SpeechError && error.cause instanceof RemoteError;
  return {
    code,
    message: isRemote ? error.message : sentenceOf(code),
    permanent: hopeless.has(code) || (error instanceof FetchProblem && error.isFinal),
  };
}

function codeOf(error: unknown): ErrorCode {
  if (error instanceof AudioError || error instanceof SpeechError || error instanceof Problem) return error.code;
  return isDiskFull(error) ? "storageFull" : "internal";
}

/**
 * The warnings of finished transcriptions whose speakers could not be identified, or that could not be recognized
 * again.
 */
const warnings = { diarize: "diarizationFailed", recognize: "recognitionFailed" } as const;

type Reason = Pick<Failure, "code" | "message">;

/**
 * Fails a job permanently. The finished pieces and the original are kept: a retry resumes from them. A finished
 * transcription stays unchanged, with a warning.
 * @param lease of the worker whose attempt failed: if it has lost the job, nothing changes. Omitted if the job is
 *   ended from outside
 */
export async function failJob({ db, storage }: FailParts, id: string, reason: Reason, lease?: JobRow): Promise<void> {
  const isTaken = await db.transaction().execute(async (t) => {
    if (lease !== undefined && !(await isLeased(t, lease))) return true;
    await endAsFailed(t, id, reason);
    return false;
  });
  if (!isTaken) await storage.removePcm(id);
}

async function endAsFailed(t: Db, id: string, { code, message }: Reason): Promise<void> {
  const job = await findJob(t, id);
  // The code that removed it has set its result.
  if (job === undefined) return;
  const { task } = job;
  if (task === "check") return removeJob(t, id);
  if (task !== "transcribe") {
    const warning = { error_code: warnings[task], error_message: sentenceOf(warnings[task]) };
    const kept = await changeTranscription(t, id, { ...warning, stage: "finished", fraction: 1, seconds_left: 0 });
    if (kept !== undefined && job.track !== null) await removeUsage(t, kept.user_id, jobSource(kept, job));
    return removeJob(t, id);
  }
  const row = await changeTranscription(t, id, {
    status: "failed",
    stage: null,
    fraction: null,
    seconds_left: null,
    error_code: code,
    error_message: message,
  });
  await removeJob(t, id, { keepPieces: true });
  // Dictated audio was recognised live already: its minutes stay counted.
  if (row?.recording_id === null) await removeUsage(t, row.user_id, sourceOf(row));
}
