import { titleByDate, UploadFields } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { check } from "#server/http/body.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import { typeOfEnding } from "#server/speech/media-type.ts";
import { type NewTranscription, waitingToBeMade } from "#server/transcription/queries.ts";
import type { Translator } from "#server/transcription/translator.ts";

export type CheckedFields = ReturnType<typeof checkFields>;

/** A file's name and type, as the client sent them. */
export interface FileLabel {
  /** Without folders and control characters; may be "". Never used as a path. */
  name: string;
  /** The client's content type; may be "". */
  type: string;
}

/**
 * Validates the options of an upload or URL, before anything is transferred.
 * @throws Problem `badRequest`, `languageUnavailable`, `translationUnavailable`
 */
export function checkFields({ engines, translator }: { engines: SpeechEngines; translator: Translator }, raw: unknown) {
  const fields = check(UploadFields, raw);
  const { sourceLanguage, targetLanguage } = fields;
  if (engines.forLanguage(sourceLanguage, "files") === undefined) throw new Problem("languageUnavailable");
  const isTranslated = (target: string) =>
    translator.supports(sourceLanguage, target) || translator.isEngineTranslated(sourceLanguage, target);
  if (targetLanguage !== undefined && !isTranslated(targetLanguage)) throw new Problem("translationUnavailable");
  return fields;
}

interface UploadedFile {
  /** Id of the transcription. */
  id: string;
  userId: string;
  fields: CheckedFields;
  file: FileLabel;
  /** Epoch ms. */
  at: number;
}

/** The row of an uploaded file. */
export function uploadedRow({ id, userId, fields, file, at }: UploadedFile): NewTranscription {
  return {
    ...waitingToBeMade,
    id,
    user_id: userId,
    client_id: fields.clientId,
    recording_id: null,
    title: fields.title || titleFrom(file.name) || titleByDate(at),
    source_language: fields.sourceLanguage,
    target_language: fields.targetLanguage ?? null,
    date: at,
    origin: "upload",
    audio_type: playableType(file),
    file_name: file.name === "" ? null : file.name,
    vocabulary: fields.vocabulary || null,
    speakers: fields.speakers === undefined ? 0 : 1,
    speaker_count: fields.speakers === undefined ? null : (fields.speakerCount ?? null),
    track: fields.track ?? null,
  };
}

/** A file name without its extension. */
export function titleFrom(fileName: string): string {
  return fileName.replace(/\.[A-Za-z0-9]{1,5}$/, "").trim();
}

/** The content type of the audio until it is decoded: never one that a browser renders as a page or executes. */
export function playableType({ name, type }: FileLabel): string {
  const ending = /\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? "";
  const known = typeOfEnding(ending);
  if (known !== undefined) return known;
  return /^(audio|video)\/[\w.+-]{1,60}$/.test(type) ? type : "application/octet-stream";
}
