import { is } from "valibot";
import { type Segment, SpeechLanguage } from "#contract/index.ts";
import type { PieceRow } from "#server/jobs/piece-queries.ts";
import { pieceRecognized } from "#server/log/events.ts";
import { traced } from "#server/log/tracing.ts";
import { type KnownVoice, type SpeechEngine, SpeechError, type TranscribeOptions } from "#server/speech/index.ts";
import { unlessAborted } from "#server/threads/unless-aborted.ts";
import { markEngineTranslation } from "#server/transcription/engine-translation.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import { expectationsOf } from "#server/vocabulary/expectations.ts";
import { pcmRate } from "#speech/bytes.ts";
import { shift } from "#speech/words.ts";
import { write } from "#speech/written/write.ts";
import type { JobParts } from "./steps.ts";

type Piece = Pick<PieceRow, "start_sample" | "end_sample">;

/** The engine and options of a recording's recognition. */
interface Recognition {
  engine: SpeechEngine;
  language: SpeechLanguage;
  /** The language into which the engine translates during recognition; undefined: it does not translate. */
  target: string | undefined;
}

/** @throws SpeechError `languageUnavailable` when no engine here recognizes it */
export function recognitionOf(
  { engines, translator }: Pick<JobParts, "engines" | "translator">,
  row: TranscriptionRow,
): Recognition {
  const spoken = row.source_language;
  if (!is(SpeechLanguage, spoken))
    throw new SpeechError("languageUnavailable", `Parlance does not know the language "${spoken}".`);
  const choice = engines.forLanguage(spoken, "files");
  if (choice === undefined) throw new SpeechError("languageUnavailable", `No engine recognizes "${spoken}".`);
  // A translation of the same pass has the times of its words; it costs as much as recognizing.
  const target =
    row.target_language !== null && translator.isEngineTranslated(spoken, row.target_language) ? row.target_language : undefined;
  return { ...choice, target };
}

interface Recognized extends Pick<JobParts, "db" | "punctuator"> {
  row: TranscriptionRow;
  recognition: Recognition;
}

/** Recognizes pieces of one recording, and writes them as its person does. Times are from the recording's beginning. */
export async function pieceRecognizer({ db, punctuator, row, recognition }: Recognized) {
  const { engine, language, target } = recognition;
  const { terms: vocabulary, replace } = await expectationsOf(db, row.user_id, row.vocabulary);
  return async (piece: Piece, pcm: Buffer, signal: AbortSignal, speakers?: readonly KnownVoice[]): Promise<Segment[]> => {
    const wishes = { vocabulary, ...(speakers && { speakers }), ...(target && { target }) };
    const recognized = markEngineTranslation(await recognize(engine, pcm, { language, signal, ...wishes }), target ?? "");
    const written = await write(recognized, { replace, language, punctuator, person: row.user_id, signal });
    return written.map((segment) => shift(segment, piece.start_sample / pcmRate));
  };
}

/** @returns seconds */
export function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.end_sample - piece.start_sample, 0) / pcmRate;
}

/** Wraps any error of an engine as an engine failure. */
async function recognize(
  engine: SpeechEngine,
  pcm: Buffer,
  options: TranscribeOptions & { signal: AbortSignal },
): Promise<Segment[]> {
  try {
    const attributes = { "parlance.engine": engine.id, "parlance.audio_seconds": pcm.length / 2 / pcmRate };
    const from = performance.now();
    // An engine that ignores its signal must not keep the server from stopping.
    const recognized = await traced({ name: "recognize piece", kind: "internal", attributes }, () =>
      unlessAborted(options.signal, engine.transcribe(pcm, options)),
    );
    pieceRecognized.happened({
      engine: engine.id,
      audioSeconds: pcm.length / 2 / pcmRate,
      seconds: (performance.now() - from) / 1000,
    });
    return recognized;
  } catch (error) {
    options.signal.throwIfAborted();
    if (error instanceof SpeechError) throw error;
    throw new SpeechError("engineFailed", `${engine.name} failed.`, { cause: error });
  }
}
