import type { SpeechLanguage } from "#contract/index.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Translator } from "#server/transcription/translator.ts";
import { type CheckedFields, checkFields } from "#server/uploads/fields.ts";
import type { FoundFile } from "./files.ts";

/** How recordings of this machine are transcribed. */
export interface Wishes {
  /** undefined: `auto` where an engine can, else `en`. */
  sourceLanguage: SpeechLanguage | undefined;
  targetLanguage: string | undefined;
  speakers: boolean;
}

/**
 * What an upload would say of a recording of this machine.
 * @param clientId a UUID: whoever takes it again under the same finds what it has become
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
