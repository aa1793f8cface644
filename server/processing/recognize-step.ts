import type { FileHandle } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import {
  finishPiece,
  hasSuspectPiece,
  leasePiece,
  releasePiece,
  takeBackPieces,
  whoHearsRest,
} from "#server/jobs/lease-queries.ts";
import { finishedSamples, listPieces, type PieceRow } from "#server/jobs/piece-queries.ts";
import { noteHeardAs, offerPieces } from "#server/jobs/shared-queries.ts";
import { reserved } from "#server/jobs/sharing.ts";
import { JobTaken } from "#server/jobs/work.ts";
import { describeError } from "#server/log/log.ts";
import { pcmRate, type SpeechEngine } from "#server/speech/index.ts";
import { bytesOfPiece, type Hearing, hearingOf, lengthOf, pieceHearer } from "./hearing.ts";
import { openKept } from "./open-kept.ts";
import { knownVoices, numbered, takenNumbers } from "./speakers.ts";
import { type JobRun, wantsDiarization } from "./steps.ts";

/** How often it is looked whether other workers have finished what they took (milliseconds). */
const waitMs = 500;

/**
 * Recognises the unfinished pieces, as many in parallel as the engine supports, and with every other worker that asks for some.
 * @returns the engine
 */
export async function recognizeStep(run: JobRun): Promise<SpeechEngine> {
  const { db, job, row, progress, report, signal } = run;
  const id = job.transcription_id;
  const hearing = hearingOf(run, row);
  const { engine } = hearing;
  // Its model is not removed between two pieces.
  await using _ = await engine.hold?.();
  await takeBackPieces(db, id);
  const pieces = await listPieces(db, id);
  const waiting = pieces.filter(({ done }) => done === 0);
  if (wantsDiarization(run, engine)) progress.willDiarize();
  progress.recognizing(lengthOf(pieces), lengthOf(pieces) - lengthOf(waiting));
  await report();
  if (waiting.length === 0) return engine;
  await using opened = await openKept(run.storage.pcmPath(id), "r");
  // Speakers can be matched, and a crash attributed to its piece, only when the pieces are processed in sequence.
  const isApart = row.speakers === 1 && engine.speakers === true;
  const isInSequence = isApart || job.suspect > 0;
  const hearNext = await nextPieceOf(run, hearing, opened.file, isApart);
  const over = new AbortController();
  const offering = isInSequence ? undefined : offered(run, hearing, AbortSignal.any([signal, over.signal]));
  try {
    await sideBySide(isInSequence ? 1 : Math.min(engine.parallel, waiting.length), signal, hearNext);
  } finally {
    over.abort();
    await offering;
  }
  return engine;
}

/** @returns hears the next free piece; false when there is nothing left for this worker */
async function nextPieceOf(run: JobRun, hearing: Hearing, file: FileHandle, isApart: boolean) {
  const { db, job, row, progress, report, progressed } = run;
  const id = job.transcription_id;
  const worker = job.worker_id ?? "";
  const hear = await pieceHearer({ ...run, hearing });
  const slots = run.slotsOf(hearing.engine);
  const claimant = { person: row.user_id, isUrgent: job.urgent === 1 };
  const hearPiece = async (piece: PieceRow, stop: AbortSignal) => {
    const { start, end } = bytesOfPiece(piece);
    const pcm = Buffer.allocUnsafe(end + 1 - start);
    const { bytesRead } = await file.read(pcm, 0, pcm.length, start);
    if (bytesRead < pcm.length) throw new Error("The decoded audio is shorter than it was.");
    const speakers = isApart ? await knownVoices(db, row.id, file) : undefined;
    const heard = await hear(piece, pcm, stop, speakers);
    const segments = numbered(heard, speakers, isApart ? await takenNumbers(db, row.id) : new Set());
    if (!(await finishPiece(db, { id, idx: piece.idx }, worker, segments))) throw new JobTaken();
  };
  const begin = async (stop: AbortSignal) => {
    const piece = await leasePiece(db, { id, worker, leaseUntil: run.leaseUntil(), isHelp: false });
    if (piece === undefined) return false;
    try {
      await hearPiece(piece, stop);
    } catch (error) {
      await releasePiece(db, { id, idx: piece.idx }, worker, reserved.forNobody).catch(() => undefined);
      throw error;
    }
    progress.reached((await finishedSamples(db, id)) / pcmRate);
    // What a worker has died of may be in any of those that it was at: one alone proves nothing.
    if (job.suspect === 0 || !(await hasSuspectPiece(db, id))) await progressed();
    return true;
  };
  return async (stop: AbortSignal): Promise<boolean> => {
    if (await slots.run(stop, () => begin(stop), claimant)) {
      await report();
      return true;
    }
    const others = await whoHearsRest(db, id);
    // Whoever has the rest in this process stores it, or fails with all.
    if (others === undefined || (others.size === 1 && others.has(worker))) return false;
    if (!others.has("")) await setTimeout(waitMs, undefined, { signal: stop }).catch(() => undefined);
    progress.reached((await finishedSamples(db, id)) / pcmRate);
    await report();
    return true;
  };
}

/** Offers the pieces to other workers as soon as one of them asks. What keeps it from that is no failure of the job. */
async function offered({ db, storage, job, log, wanted }: JobRun, hearing: Hearing, signal: AbortSignal): Promise<void> {
  const id = job.transcription_id;
  if (wanted === undefined || signal.aborted) return;
  const over = Promise.withResolvers<void>();
  signal.addEventListener("abort", () => over.resolve(), { once: true });
  try {
    await noteHeardAs(db, id, job.worker_id ?? "", hearing.name);
    await Promise.race([wanted, over.promise]);
    if (signal.aborted) return;
    await storage.sharePcm(id, signal);
    await offerPieces(db, id, job.worker_id ?? "");
  } catch (error) {
    if (!signal.aborted) log.warn("pieces are not shared", { id, ...describeError(error) });
  }
}

/**
 * Calls `next` again and again, `count` times in parallel, until it says that nothing is left. The first failure stops all; it is thrown
 * once all have stopped.
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
