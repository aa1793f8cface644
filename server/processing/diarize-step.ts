import { setImmediate } from "node:timers/promises";
import type { Segment } from "#contract/index.ts";
import { JobTakenOver } from "#server/jobs/handler.ts";
import { listPieces, storePiece } from "#server/jobs/piece-queries.ts";
import { noteDiarized } from "#server/jobs/queries.ts";
import { SpeechError } from "#server/speech/index.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";
import { transcriptTasks } from "#server/transcription/thread-tasks.ts";
import { keepVoices } from "#server/voice-profiles/profiles.ts";
import { voicesIn } from "#server/voice-profiles/voice.ts";
import type { JobRun } from "./steps.ts";

/** Gives the recognised pieces their speakers. The text is useful without: a failure is only a warning. */
export async function diarizes(run: JobRun, samples: number): Promise<boolean> {
  const { db, now, diarizer, storage, threads, job, row, progress, report, progressed, signal } = run;
  const id = job.transcription_id;
  progress.diarizing(false);
  await report();
  try {
    const found = await diarizer.diarize({
      pcmPath: storage.pcmPath(id),
      samples,
      speakers: row.speaker_count ?? undefined,
      signal,
      onProgress: fractionDone(run),
    });
    const { turns } = found;
    const labelled: Pick<Segment, "start" | "end" | "speaker">[] = [];
    for (const piece of await listPieces(db, id)) {
      if (piece.segments === "[]") continue;
      const input = { segments: piece.segments, turns, keepsWhole: "engineTranslated" as const };
      const wanted = { person: run.row.user_id, size: piece.segments.length };
      const { segments } = await threads.run(transcriptTasks.diarized, input, wanted);
      const split = parseSegments(segments);
      for (const { start, end, speaker } of split) labelled.push({ start, end, speaker });
      if (!(await storePiece(db, job, piece.idx, split))) throw new JobTakenOver();
      await setImmediate();
    }
    const voices = voicesIn(labelled, found);
    await db.transaction().execute(async (t) => {
      await keepVoices(t, { userId: row.user_id, transcriptionId: id, at: now() }, { model: found.model, voices });
      await noteDiarized(t, id);
    });
    await progressed();
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SpeechError) return false;
    throw error;
  }
}

/** Turns the fraction that is done into steps of progress. */
export function fractionDone({ progress }: Pick<JobRun, "progress">): (fraction: number) => void {
  let before = 0;
  return (fraction) => {
    progress.finished(fraction - before);
    before = fraction;
  };
}
