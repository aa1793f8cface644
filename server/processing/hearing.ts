import { is } from "valibot";
import { type Segment, SpeechLanguage } from "#contract/index.ts";
import type { PieceRow } from "#server/jobs/piece-queries.ts";
import { pieceHeard } from "#server/log/events.ts";
import { traced } from "#server/log/tracing.ts";
import {
  type KnownVoice,
  pcmRate,
  type SpeechEngine,
  SpeechError,
  shift,
  type TranscribeOptions,
  write,
} from "#server/speech/index.ts";
import { unlessAborted } from "#server/threads/unless-aborted.ts";
import { markTranslatedByEar } from "#server/transcription/by-ear.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { expectationsOf } from "#server/vocabulary/expectations.ts";
import type { JobParts } from "./steps.ts";

type Parts = Pick<JobParts, "db" | "engines" | "translator" | "punctuator">;
type Piece = Pick<PieceRow, "start_sample" | "end_sample">;

/** How this process hears a recording. */
export interface Hearing {
  engine: SpeechEngine;
  language: SpeechLanguage;
  /** Into what its engine translates while it hears; undefined: it does not. */
  target: string | undefined;
  /** The same in every process that makes the same text of the same sound. */
  name: string;
}

/** @throws SpeechError `languageUnavailable` when no engine here hears it */
export function hearingOf({ engines, translator, punctuator }: Omit<Parts, "db">, row: TranscriptionRow): Hearing {
  const spoken = row.source_language;
  if (!is(SpeechLanguage, spoken)) throw new SpeechError("languageUnavailable", `"${spoken}" is no language of Parlance.`);
  const choice = engines.forLanguage(spoken, "files");
  if (choice === undefined) throw new SpeechError("languageUnavailable", `No engine hears "${spoken}".`);
  const { engine, language } = choice;
  // What is translated while it is heard has that from the same pass as its times; it costs as much as hearing.
  const target =
    row.target_language !== null && translator.isTranslatedByEar(spoken, row.target_language) ? row.target_language : undefined;
  const name = [engine.id, language, target, punctuator.modelOf(language)].map((part) => part ?? "-").join(" ");
  return { engine, language, target, name };
}

interface Heard extends Parts {
  row: TranscriptionRow;
  hearing: Hearing;
  signal: AbortSignal;
}

/** Hears pieces of one recording, and writes them as its person does. Times are from the recording's beginning. */
export async function pieceHearer({ db, punctuator, row, hearing }: Omit<Heard, "signal">) {
  const { engine, language, target } = hearing;
  const { terms: vocabulary, replace } = await expectationsOf(db, row.user_id, row.vocabulary);
  return async (piece: Piece, pcm: Buffer, signal: AbortSignal, speakers?: readonly KnownVoice[]): Promise<Segment[]> => {
    const wishes = { vocabulary, ...(speakers && { speakers }), ...(target && { target }) };
    const heard = markTranslatedByEar(await recognize(engine, pcm, { language, signal, ...wishes }), target ?? "");
    const written = await write(heard, { replace, language, punctuator, signal });
    return written.map((segment) => shift(segment, piece.start_sample / pcmRate));
  };
}

/** Where a piece is in the decoded audio, in bytes. */
export function bytesOfPiece({ start_sample, end_sample }: Piece): { start: number; end: number } {
  return { start: start_sample * 2, end: end_sample * 2 - 1 };
}

/** @returns seconds */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.end_sample - piece.start_sample, 0) / pcmRate;
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
