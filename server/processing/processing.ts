import { DatabaseGoneError } from "#server/db/errors.ts";
import { Problem } from "#server/errors/problem.ts";
import { maxInterruptions } from "#server/jobs/claim-queries.ts";
import type { Attempt, JobHandler, RunningAttempt } from "#server/jobs/handler.ts";
import { findJobTask, isLeased } from "#server/jobs/queries.ts";
import type { JobTask } from "#server/jobs/tables.ts";
import { traced } from "#server/log/tracing.ts";
import type { SpeechEngine } from "#server/speech/index.ts";
import { inRotation } from "#server/threads/queues.ts";
import { Slots } from "#server/threads/slots.ts";
import { changeTranscription, getTranscription } from "#server/transcription/queries.ts";
import { runCheck } from "./check.ts";
import { runDiarization } from "./diarization.ts";
import { failJob, failureOf } from "./failure.ts";
import { JobProgress, type ProgressNow } from "./progress.ts";
import { runJob } from "./run.ts";
import type { JobParts, JobRun } from "./steps.ts";

export type ProcessingParts = Omit<JobParts, "slotsOf">;

/** Turns recordings into transcriptions. All jobs of a process use the same slots of the engines. */
export function createProcessing(parts: ProcessingParts): JobHandler {
  const { db, storage } = parts;
  const jobParts = { ...parts, ...patient(parts), slotsOf: slotsByEngine() };
  return {
    begin: (attempt) => beginRun(jobParts, attempt),
    isFinal: (error) => failureOf(error).permanent,
    isPassing: (error) => error instanceof DatabaseGoneError || failureOf(error).code === "storageUnavailable",
    fail: (job, error) => failJob(parts, job.transcription_id, failureOf(error), job),
    postpone: async (id) => {
      await db.transaction().execute(async (t) => {
        const task = await findJobTask(t, id);
        if (task !== undefined && task !== "check") await changeTranscription(t, id, { stage: "waiting", seconds_left: null });
      });
    },
    discard: storage.removePcm,
  };
}

/** A step waits however much of its person's waits already: refused, a job would fail, or lose its translation. */
function patient({ threads, translator }: ProcessingParts): Pick<ProcessingParts, "threads" | "translator"> {
  return {
    threads: { ...threads, run: (task, input, wanted) => threads.run(task, input, { ...wanted, isPatient: true }) },
    translator: {
      ...translator,
      translateSegments: (segments, source, target, by) =>
        translator.translateSegments(segments, source, target, { ...by, isPatient: true }),
      translateTexts: (texts, source, target, by) => translator.translateTexts(texts, source, target, { ...by, isPatient: true }),
    },
  };
}

function beginRun(parts: JobParts, attempt: Attempt): RunningAttempt {
  const { job, signal } = attempt;
  const { db, now } = parts;
  const id = job.transcription_id;
  const progress = new JobProgress(now);
  let written = "";
  const report = async () => {
    const current = progress.current();
    // No progress for the check of words: the transcription is finished.
    if (written === JSON.stringify(current) || signal.aborted || job.task === "check") return;
    written = JSON.stringify(current);
    await db.transaction().execute(async (t) => {
      // If it was cancelled in the meantime, it stays cancelled.
      if (!(await isLeased(t, job))) return;
      const stage = stageOf(current);
      await changeTranscription(t, id, job.task === "transcribe" ? { status: "processing", ...stage } : stage);
    });
  };
  const run = async () => {
    if (job.interruptions >= maxInterruptions) throw new Problem("crashed");
    const stored = await getTranscription(db, id);
    // The state of the transcription after another audio track is recognized; until then it stays unchanged.
    const { track, source_language } = job;
    const row = { ...stored, ...(track !== null && { track }), ...(source_language !== null && { source_language }) };
    const whole = { ...parts, ...attempt, row, progress, report };
    await tasks[job.task](whole);
  };
  const done = traced({ name: `job ${job.task}`, kind: "consumer", attributes: {} }, run);
  return { done, report, isFetching: () => progress.current().stage === "fetching" };
}

const tasks: Record<JobTask, (run: JobRun) => Promise<void>> = {
  transcribe: runJob,
  diarize: runDiarization,
  recognize: runJob,
  check: runCheck,
};

function slotsByEngine(): (engine: SpeechEngine) => Slots {
  const slots = new Map<SpeechEngine, Slots>();
  return (engine) => {
    const own = slots.get(engine) ?? new Slots(inRotation(engine.parallel));
    slots.set(engine, own);
    return own;
  };
}

function stageOf({ stage, fraction, secondsLeft }: ProgressNow) {
  return { stage, fraction, seconds_left: secondsLeft } as const;
}
