import { setImmediate } from "node:timers/promises";
import type { Segment } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import { listPieces, type PieceRow, storeTranslated } from "#server/jobs/piece-queries.ts";
import type { JobRow } from "#server/jobs/queries.ts";
import type { Log } from "#server/log/log.ts";
import type { Diarizer, decodeToPcm, Punctuator, SpeechEngine, SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Slots } from "#server/threads/slots.ts";
import type { Threads } from "#server/threads/threads.ts";
import { engineTranslated } from "#server/transcription/engine-translation.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";
import type { Translator } from "#server/transcription/translator.ts";
import type { FetchAudio } from "#server/uploads/fetching/fetch.ts";
import type { JobProgress } from "./progress.ts";

/** The dependencies of a job's steps. */
export interface JobParts extends DbParts {
  storage: Storage;
  engines: Pick<SpeechEngines, "forLanguage">;
  translator: Translator;
  diarizer: Diarizer;
  punctuator: Punctuator;
  decode: typeof decodeToPcm;
  usage: UsageMeter;
  /** Longest recording that is decoded. */
  maxAudioSeconds: number;
  quota: Pick<StorageQuota, "within">;
  threads: Threads;
  fetchAudio: FetchAudio;
  slotsOf(engine: SpeechEngine): Slots;
  log: Log;
}

export interface JobRun extends JobParts {
  job: JobRow;
  row: TranscriptionRow;
  progress: JobProgress;
  /** Writes the progress to the row. */
  report(): Promise<void>;
  /** Call it when a result is stored that no later run has to repeat. */
  progressed(): Promise<void>;
  signal: AbortSignal;
}

/** Whether a separate step identifies the speakers, because the engine does not. */
export function wantsDiarization({ row, diarizer, job }: JobRun, engine: SpeechEngine): boolean {
  return row.speakers === 1 && engine.speakers !== true && job.diarized === 0 && diarizer.isAvailable();
}

/** Translates the pieces that have no translation yet. */
export async function translateStep(run: JobRun, target: string): Promise<void> {
  const { db, job, row, translator, progress, report, progressed, signal } = run;
  const pieces: (PieceRow & { spoken: Segment[] })[] = [];
  for (const piece of await listPieces(db, job.transcription_id)) {
    pieces.push({ ...piece, spoken: parseSegments(piece.segments) });
    // Each piece is half a minute of speech; parsing a day of them at once would block the event loop for seconds.
    await setImmediate();
  }
  const waiting = pieces.filter(({ translated }) => translated === 0);
  const count = (some: typeof pieces) => some.reduce((sum, { spoken }) => sum + spoken.length, 0);
  progress.translating(count(pieces), count(pieces) - count(waiting));
  await report();
  const untranslated: typeof pieces = [];
  for (const piece of waiting) {
    const segments = engineTranslated(piece.spoken, target);
    if (segments === undefined) untranslated.push(piece);
    else await storeTranslated(db, job.transcription_id, [{ idx: piece.idx, segments }]);
  }
  for (let from = 0; from < untranslated.length; from += piecesPerTranslation) {
    const group = untranslated.slice(from, from + piecesPerTranslation);
    const bare = group.flatMap(({ spoken }) => spoken.map(({ translation: _, translationLanguage: __, ...segment }) => segment));
    const translated = await translator.translateSegments(bare, row.source_language, target, {
      person: row.user_id,
      signal,
    });
    let next = 0;
    const stored = group.map(({ idx, spoken }) => {
      const segments = translated.slice(next, next + spoken.length);
      next += spoken.length;
      return { idx, segments };
    });
    await storeTranslated(db, job.transcription_id, stored);
    progress.finished(translated.length);
    await report();
    await progressed();
    signal.throwIfAborted();
  }
}

/** Starting the translation engine costs more than translating a few sentences. */
const piecesPerTranslation = 16;
