import type { FileHandle } from "node:fs/promises";
import { JobTakenOver } from "#server/jobs/handler.ts";
import { listPieces, type PieceRow, storePiece } from "#server/jobs/piece-queries.ts";
import type { SpeechEngine } from "#server/speech/index.ts";
import { openHeld } from "./open-held.ts";
import { lengthOf, pieceRecognizer, recognitionOf } from "./recognition.ts";
import { knownVoices, numbered, takenNumbers } from "./speakers.ts";
import { type JobRun, wantsDiarization } from "./steps.ts";

/**
 * Recognizes the unfinished pieces, as many in parallel as the engine supports.
 * @returns the engine
 */
export async function recognizeStep(run: JobRun): Promise<SpeechEngine> {
  const { db, job, row, progress, report, progressed, signal } = run;
  const id = job.transcription_id;
  const recognition = recognitionOf(run, row);
  const { engine } = recognition;
  // Its model can't be removed between two pieces.
  await using _ = await engine.hold?.();
  const pieces = await listPieces(db, id);
  const waiting = pieces.filter(({ done }) => done === 0);
  if (wantsDiarization(run, engine)) progress.willDiarize();
  progress.recognizing(lengthOf(pieces), lengthOf(pieces) - lengthOf(waiting));
  await report();
  if (waiting.length === 0) return engine;
  await using opened = await openHeld(run.storage.pcmPath(id), "r");
  // Speakers can be matched only when the pieces are processed in sequence.
  const isApart = row.speakers === 1 && engine.speakers === true;
  const recognize = await pieceRecognizer({ ...run, recognition });
  const recognizePiece = async (piece: PieceRow, stop: AbortSignal) => {
    const pcm = await pcmOf(opened.file, piece);
    const speakers = isApart ? await knownVoices(db, id, opened.file) : undefined;
    const recognized = await recognize(piece, pcm, stop, speakers);
    const segments = numbered(recognized, speakers, isApart ? await takenNumbers(db, id) : new Set());
    if (!(await storePiece(db, job, piece.idx, segments))) throw new JobTakenOver();
    progress.finished(lengthOf([piece]));
    await progressed();
  };
  const slots = run.slotsOf(engine);
  const claimant = { person: row.user_id, isUrgent: job.urgent === 1 };
  const next = async (stop: AbortSignal) => {
    const isMore = await slots.run(
      stop,
      async () => {
        const piece = waiting.shift();
        if (piece !== undefined) await recognizePiece(piece, stop);
        return piece !== undefined;
      },
      claimant,
    );
    if (isMore) await report();
    return isMore;
  };
  await sideBySide(isApart ? 1 : Math.min(engine.parallel, waiting.length), signal, next);
  return engine;
}

/** Reads the decoded audio of a piece. */
export async function pcmOf(file: FileHandle, piece: PieceRow): Promise<Buffer> {
  const pcm = Buffer.allocUnsafe((piece.end_sample - piece.start_sample) * 2);
  const { bytesRead } = await file.read(pcm, 0, pcm.length, piece.start_sample * 2);
  if (bytesRead < pcm.length) throw new Error("The decoded audio has become shorter.");
  return pcm;
}

/**
 * Calls `next` repeatedly, `count` times in parallel, until nothing is left. The first failure stops all; it is thrown
 * after all have stopped.
 */
async function sideBySide(count: number, signal: AbortSignal, next: (stop: AbortSignal) => Promise<boolean>): Promise<void> {
  const failing = new AbortController();
  const stop = AbortSignal.any([signal, failing.signal]);
  const runner = async () => {
    for (let isMore = true; isMore; isMore = await next(stop)) stop.throwIfAborted();
  };
  const runners = Array.from({ length: Math.max(1, count) }, () =>
    runner().catch((error: unknown) => {
      failing.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(runners);
  stop.throwIfAborted();
}
