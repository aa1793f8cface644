import * as v from "valibot";

/** SPEC.md section 3, "Speech-input language options", in its order and spelling. */
export const speechLanguages = [
  "auto",
  "en",
  "es-ES",
  "fr-FR",
  "de-DE",
  "it-IT",
  "pt-br",
  "nl-NL",
  "da",
  "sv-SE",
  "no-NO",
  "fi-FI",
] as const;
export const SpeechLanguage = v.picklist(speechLanguages);
export type SpeechLanguage = v.InferOutput<typeof SpeechLanguage>;

/** A language code for text: ISO 639, optionally with a region ("es", "zh-TW"). */
export const TextLanguage = v.pipe(v.string(), v.regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/));

/** One language as SPEC.md section 3 describes it. */
export const Language = v.object({ code: v.string(), name: v.string(), nativeName: v.string() });
export type Language = v.InferOutput<typeof Language>;
