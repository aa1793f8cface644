import { setImmediate } from "node:timers/promises";
import { listPieces, storePiece } from "#server/jobs/piece-queries.ts";
import { noteDiarized } from "#server/jobs/queries.ts";
import { SpeechError } from "#server/speech/index.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";
import { transcriptWork } from "#server/transcription/work.ts";
import type { JobRun } from "./steps.ts";

/** Gives the recognised pieces their speakers. The text is useful without: a failure is only a warning. */
export async function diarizes(run: JobRun, samples: number): Promise<boolean> {
  const { db, diarizer, storage, threads, job, row, progress, report, progressed, signal } = run;
  const id = job.transcription_id;
  progress.diarizing(false);
  await report();
  try {
    const { turns } = await diarizer.diarize({
      pcmPath: storage.pcmPath(id),
      samples,
      speakers: row.speaker_count ?? undefined,
      signal,
      onProgress: shareDone(run),
    });
    for (const piece of await listPieces(db, id)) {
      if (piece.segments === "[]") continue;
      const { segments } = await threads.run(transcriptWork.diarized, { segments: piece.segments, turns }, piece.segments.length);
      await storePiece(db, id, piece.idx, parseSegments(segments));
      await setImmediate();
    }
    await noteDiarized(db, id);
    await progressed();
    return true;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SpeechError) return false;
    throw error;
  }
}

/** Turns the share that is done into steps of progress. */
export function shareDone({ progress }: Pick<JobRun, "progress">): (share: number) => void {
  let before = 0;
  return (share) => {
    progress.finished(share - before);
    before = share;
  };
}
