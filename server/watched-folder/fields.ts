import type { SpeechLanguage } from "#contract/index.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Translator } from "#server/transcription/translator.ts";
import { type CheckedFields, checkFields } from "#server/uploads/fields.ts";
import type { FoundFile } from "./files.ts";

/** How recordings of this machine are transcribed. */
export interface Wishes {
  /** Undefined: `auto` where an engine supports it, else `en`. */
  sourceLanguage: SpeechLanguage | undefined;
  targetLanguage: string | undefined;
  speakers: boolean;
}

/**
 * The upload fields for a local recording.
 * @param clientId a UUID: taking a recording again under the same id finds its existing transcription
 * @throws Problem `languageUnavailable`, `translationUnavailable`
 */
export function localFields(
  parts: { engines: SpeechEngines; translator: Translator },
  { sourceLanguage, targetLanguage, speakers }: Wishes,
  { size }: FoundFile,
  clientId: string,
): CheckedFields {
  const found = parts.engines.forLanguage("auto", "files") === undefined ? "en" : "auto";
  return checkFields(parts, {
    clientId,
    sourceLanguage: sourceLanguage ?? found,
    size: String(size),
    ...(targetLanguage !== undefined && { targetLanguage }),
    ...(speakers && { speakers: "1" }),
  });
}
