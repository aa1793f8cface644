import { setImmediate } from "node:timers/promises";
import { is } from "valibot";
import { type Segment, SpeechLanguage } from "#contract/index.ts";
import { pieceHeard } from "#server/common/events.ts";
import type { Storage } from "#server/common/storage.ts";
import { traced } from "#server/common/tracing.ts";
import { unlessAborted } from "#server/common/unless-aborted.ts";
import type { Db } from "#server/db/open.ts";
import { listPieces, type PieceRow, storePiece, storeTranslated } from "#server/jobs/piece-queries.ts";
import type { JobRow } from "#server/jobs/queries.ts";
import {
  type Diarizer,
  type decodeToPcm,
  type Punctuator,
  pcmRate,
  type SpeechEngine,
  type SpeechEngines,
  SpeechError,
  shift,
  type TranscribeOptions,
  write,
} from "#server/speech/index.ts";
import type { StorageQuota } from "#server/subscription/storage-quota.ts";
import type { UsageMeter } from "#server/subscription/usage.ts";
import type { Slots } from "#server/threads/slots.ts";
import type { Threads } from "#server/threads/threads.ts";
import { markTranslatedByEar, translatedByEar } from "#server/transcription/by-ear.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { parseSegments } from "#server/transcription/segments-json.ts";
import type { Translator } from "#server/transcription/translator.ts";
import type { FetchAudio } from "#server/uploads/fetching/fetch.ts";
import { expectationsOf } from "#server/vocabulary/expectations.ts";
import { openKept } from "./open-kept.ts";
import type { JobProgress } from "./progress.ts";
import { knownVoices, numbered, takenNumbers } from "./speakers.ts";

/** The dependencies of a job's steps. */
export interface JobParts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  storage: Storage;
  engines: Pick<SpeechEngines, "forLanguage">;
  translator: Translator;
  diarizer: Diarizer;
  punctuator: Punctuator;
  decode: typeof decodeToPcm;
  usage: UsageMeter;
  /** Longest recording that is decoded. */
  maxAudioSeconds: number;
  quota: Pick<StorageQuota, "reserve">;
  threads: Threads;
  fetchAudio: FetchAudio;
  slotsOf(engine: SpeechEngine): Slots;
}

export interface JobRun extends JobParts {
  job: JobRow;
  row: TranscriptionRow;
  progress: JobProgress;
  /** Writes the progress to the row. */
  report(): Promise<void>;
  /** To be called when something is stored that no later run has to repeat. */
  progressed(): Promise<void>;
  signal: AbortSignal;
}

/** Whether it is to be found out who speaks, by a step of its own: the engine does not distinguish the speakers. */
export function wantsDiarization({ row, diarizer, job }: JobRun, engine: SpeechEngine): boolean {
  return row.speakers === 1 && engine.speakers !== true && job.diarized === 0 && diarizer.isAvailable();
}

/** Recognises the unfinished pieces, as many in parallel as the engine supports. @returns the engine */
export async function recognizeStep(run: JobRun): Promise<SpeechEngine> {
  const { db, engines, translator, job, row, progress, report, progressed, signal } = run;
  const choice = engines.forLanguage(languageOf(row), "files");
  if (choice === undefined) throw new SpeechError("languageUnavailable", `No engine hears "${row.source_language}".`);
  // Its model is not removed between two pieces.
  await using _ = await choice.engine.hold?.();
  const pieces = await listPieces(db, job.transcription_id);
  const waiting = pieces.filter(({ done }) => done === 0);
  if (wantsDiarization(run, choice.engine)) progress.willDiarize();
  progress.recognizing(lengthOf(pieces), lengthOf(pieces) - lengthOf(waiting));
  await report();
  await using opened = await openKept(run.storage.pcmPath(job.transcription_id), "r");
  const { file } = opened;
  const slots = run.slotsOf(choice.engine);
  const claimant = { person: row.user_id, isUrgent: job.urgent === 1 };
  const { terms: vocabulary, replace } = await expectationsOf(db, row.user_id, row.vocabulary);
  // What is translated while it is heard has that from the same pass as its times; it costs as much as hearing.
  const target =
    row.target_language !== null && translator.isTranslatedByEar(row.source_language, row.target_language)
      ? row.target_language
      : undefined;
  const isApart = row.speakers === 1 && choice.engine.speakers === true;
  // Speakers can be matched, and a crash attributed to its piece, only when the pieces are processed in sequence.
  await sideBySide(isApart || job.suspect > 0 ? 1 : choice.engine.parallel, signal, waiting, (piece, stop) =>
    slots.run(
      stop,
      async () => {
        const pcm = Buffer.allocUnsafe((piece.end_sample - piece.start_sample) * 2);
        const { bytesRead } = await file.read(pcm, 0, pcm.length, piece.start_sample * 2);
        if (bytesRead < pcm.length) throw new Error("The decoded audio is shorter than it was.");
        const speakers = isApart ? await knownVoices(db, row.id, file) : undefined;
        const wishes = { vocabulary, ...(speakers && { speakers }), ...(target && { target }) };
        const options = { language: choice.language, signal: stop, ...wishes };
        const heard = markTranslatedByEar(await recognize(choice.engine, pcm, options), target ?? "");
        const wording = { replace, language: choice.language, punctuator: run.punctuator, signal: stop };
        const written = await write(heard, wording);
        await storePiece(
          db,
          job.transcription_id,
          piece.idx,
          numbered(written, speakers, await takenNumbers(db, row.id)).map((segment) =>
            shift(segment, piece.start_sample / pcmRate),
          ),
        );
        progress.finished(lengthOf([piece]));
        await report();
        await progressed();
      },
      claimant,
    ),
  );
  return choice.engine;
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
    const segments = translatedByEar(piece.spoken, target);
    if (segments === undefined) untranslated.push(piece);
    else await storeTranslated(db, job.transcription_id, [{ idx: piece.idx, segments }]);
  }
  for (let from = 0; from < untranslated.length; from += piecesPerTranslation) {
    const group = untranslated.slice(from, from + piecesPerTranslation);
    const bare = group.flatMap(({ spoken }) => spoken.map(({ translation: _, translationLanguage: __, ...segment }) => segment));
    const translated = await translator.translateSegments(bare, row.source_language, target, signal);
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

/** Processes the items in order, `count` in parallel. The first failure stops all; it is thrown once all have stopped. */
async function sideBySide<Item>(
  count: number,
  signal: AbortSignal,
  items: readonly Item[],
  work: (item: Item, stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const failing = new AbortController();
  const stop = AbortSignal.any([signal, failing.signal]);
  const queue = items.values();
  const runner = async () => {
    for (const item of queue) {
      stop.throwIfAborted();
      await work(item, stop);
    }
  };
  const runners = Array.from({ length: Math.max(1, Math.min(count, items.length)) }, () =>
    runner().catch((error: unknown) => {
      failing.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(runners);
  stop.throwIfAborted();
}

/** Wraps whatever an engine throws as an engine failure. */
async function recognize(
  engine: SpeechEngine,
  pcm: Buffer,
  options: TranscribeOptions & { signal: AbortSignal },
): Promise<Segment[]> {
  try {
    const attributes = { "parlance.engine": engine.id, "parlance.audio_seconds": pcm.length / 2 / pcmRate };
    const from = performance.now();
    // An engine that ignores its signal must not keep the server from stopping.
    const heard = await traced({ name: "recognize piece", kind: "internal", attributes }, () =>
      unlessAborted(options.signal, engine.transcribe(pcm, options)),
    );
    pieceHeard.happened({
      engine: engine.id,
      audioSeconds: pcm.length / 2 / pcmRate,
      seconds: (performance.now() - from) / 1000,
    });
    return heard;
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof SpeechError) throw error;
    throw new SpeechError("engineFailed", `${engine.name} failed.`, { cause: error });
  }
}

function languageOf(row: TranscriptionRow): SpeechLanguage {
  if (is(SpeechLanguage, row.source_language)) return row.source_language;
  throw new SpeechError("languageUnavailable", `"${row.source_language}" is no language of Parlance.`);
}

function lengthOf(pieces: readonly Pick<PieceRow, "start_sample" | "end_sample">[]): number {
  return pieces.reduce((sum, piece) => sum + piece.end_sample - piece.start_sample, 0) / pcmRate;
}
