import { finishPiece, leasePiece, releasePiece } from "#server/jobs/lease-queries.ts";
import type { PieceRow } from "#server/jobs/piece-queries.ts";
import { askToShare, listShareable, type ShareableJob } from "#server/jobs/shared-queries.ts";
import { reserved, sharing } from "#server/jobs/sharing.ts";
import type { HelpedPiece, Helper } from "#server/jobs/work.ts";
import { SpeechError } from "#server/speech/index.ts";
import { findTranscriptionOfAnybody, type TranscriptionRow } from "#server/transcription/queries.ts";
import { bytesOfPiece, type Hearing, hearingOf, pieceHearer } from "./hearing.ts";
import type { JobParts } from "./steps.ts";

/** With fewer pieces left, its worker has heard them before another one could begin. */
const leastFree = 2;

/** Begins a piece of another worker's job that this process hears as that one does, or asks one of them to share its job. */
export async function helpOthers(parts: JobParts, helper: Helper): Promise<HelpedPiece | undefined> {
  for (const job of await listShareable(parts.db, helper.worker, helper.now())) {
    const row = await findTranscriptionOfAnybody(parts.db, job.id);
    const hearing = row && hearingAs(parts, row, job);
    if (row === undefined || hearing === undefined || !parts.slotsOf(hearing.engine).isFree) continue;
    if (job.shared === sharing.offered) {
      const begun = await beginPiece(parts, helper, row, hearing);
      if (begun !== undefined) return begun;
    } else if (job.shared === sharing.not && job.free >= leastFree) {
      await askToShare(parts.db, job.id);
      return undefined;
    }
  }
  return undefined;
}

/** undefined when this process would hear it in another way, or not at all. */
function hearingAs(parts: JobParts, row: TranscriptionRow, { heardAs }: ShareableJob): Hearing | undefined {
  try {
    const hearing = hearingOf(parts, row);
    return hearing.name === heardAs ? hearing : undefined;
  } catch (error) {
    if (error instanceof SpeechError) return undefined;
    throw error;
  }
}

/** @returns undefined when others have begun all of them meanwhile */
async function beginPiece(
  parts: JobParts,
  { worker, leaseUntil, signal: closing }: Helper,
  row: TranscriptionRow,
  hearing: Hearing,
): Promise<HelpedPiece | undefined> {
  const { db } = parts;
  const { id } = row;
  const stopping = new AbortController();
  const signal = AbortSignal.any([closing, stopping.signal]);
  const leased = Promise.withResolvers<PieceRow | undefined>();
  const done = parts.slotsOf(hearing.engine).run(
    signal,
    async () => {
      const piece = await leasePiece(db, { id, worker, leaseUntil: leaseUntil(), isHelp: true });
      leased.resolve(piece);
      if (piece === undefined) return;
      try {
        await hearPiece(parts, { row, hearing, piece, worker, signal });
      } catch (error) {
        // What fails here may succeed where the rest is heard; and if not, the job fails there, in words.
        const by = signal.aborted ? reserved.forNobody : reserved.forOwner;
        await releasePiece(db, { id, idx: piece.idx }, worker, by);
        throw error;
      }
    },
    { person: row.user_id },
  );
  done.catch(leased.reject);
  const piece = await leased.promise;
  return (
    piece && { id, idx: piece.idx, done, stop: () => stopping.abort(new DOMException("The piece was taken away.", "AbortError")) }
  );
}

interface Helped {
  row: TranscriptionRow;
  hearing: Hearing;
  piece: PieceRow;
  worker: string;
  signal: AbortSignal;
}

async function hearPiece(parts: JobParts, { row, hearing, piece, worker, signal }: Helped): Promise<void> {
  const { db, storage } = parts;
  await using _ = await hearing.engine.hold?.();
  const hear = await pieceHearer({ ...parts, row, hearing });
  const pcm = await storage.readPcm(row.id, bytesOfPiece(piece));
  signal.throwIfAborted();
  if (pcm === undefined) throw new Error("The decoded audio is gone.");
  await finishPiece(db, { id: row.id, idx: piece.idx }, worker, await hear(piece, pcm, signal));
}
