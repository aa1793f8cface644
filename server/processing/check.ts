import { JobTakenOver } from "#server/jobs/handler.ts";
import { listPieces, type PieceRow } from "#server/jobs/piece-queries.ts";
import { findJobTask, isLeased, removeJob } from "#server/jobs/queries.ts";
import type { SecondOpinion } from "#server/transcription/doubt.ts";
import { changeKnown, findTranscription } from "#server/transcription/queries.ts";
import { transcriptTasks } from "#server/transcription/thread-tasks.ts";
import { pcmRate } from "#speech/bytes.ts";
import { decodeStep } from "./decode-step.ts";
import { openHeld } from "./open-held.ts";
import { recognitionOf } from "./recognition.ts";
import { pcmOf } from "./recognize-step.ts";
import type { JobRun } from "./steps.ts";

/**
 * Finds the uncertain words of a finished transcription, which may be read and corrected in that time: words that a
 * second recognition, with other cuts, does not have. For engines without confidence values. It gives up its job when
 * another task for the transcription is requested.
 * @throws the error; the signal's reason when it was aborted
 */
export async function runCheck(run: JobRun): Promise<void> {
  const { db, storage, job, row } = run;
  const { engine } = recognitionOf(run, row);
  await decodeStep(run);
  const pieces = await listPieces(db, job.transcription_id);
  // A dictation's pieces are new, because its words were recognized live.
  const isDictated = pieces.every(({ segments }) => segments === "[]");
  const recognized = isDictated ? [row.segments] : pieces.map(({ segments }) => segments);
  // Another engine's result for other words is not comparable.
  const opinions = engine.id === row.engine ? await opinionsOf(run, pieces) : [];
  await finish(run, recognized, opinions);
  await storage.removePcm(job.transcription_id);
}

async function opinionsOf(run: JobRun, pieces: readonly PieceRow[]): Promise<SecondOpinion[]> {
  const { storage, job, row, signal } = run;
  const { engine, language } = recognitionOf(run, row);
  await using _ = await engine.hold?.();
  await using opened = await openHeld(storage.pcmPath(job.transcription_id), "r");
  const claimant = { person: row.user_id, isUrgent: false };
  const opinions: SecondOpinion[] = [];
  for (const piece of pieces) {
    if ((await findJobTask(run.db, row.id)) !== "check") throw new JobTakenOver();
    const pcm = await pcmOf(opened.file, piece);
    const recognize = () => engine.transcribe(pcm, { language, signal, cut: "elsewhere" });
    const segments = await run.slotsOf(engine).run(signal, recognize, claimant);
    const text = segments.map((segment) => segment.text).join(" ");
    opinions.push({ start: piece.start_sample / pcmRate, end: piece.end_sample / pcmRate, text });
  }
  return opinions;
}

async function finish(run: JobRun, recognized: readonly string[], opinions: readonly SecondOpinion[]): Promise<void> {
  const { db, threads, job, row, signal } = run;
  for (;;) {
    signal.throwIfAborted();
    const current = await findTranscription(db, row.user_id, row.id);
    if (current === undefined) throw new JobTakenOver();
    const input = { segments: current.segments, recognized, opinions };
    const { segments } = await threads.run(transcriptTasks.doubted, input, {
      person: row.user_id,
      size: current.segments.length,
    });
    const isDone = await db.transaction().execute(async (t) => {
      const isOurs = (await isLeased(t, job)) && (await findJobTask(t, row.id)) === "check";
      if (!isOurs) throw new JobTakenOver();
      if (segments !== current.segments && (await changeKnown(t, current, { segments })) === undefined) return false;
      await removeJob(t, row.id);
      return true;
    });
    if (isDone) return;
  }
}
