import * as v from "valibot";
import { type EnginesAnswer, SpeechLanguage, TextLanguage } from "#contract/index.ts";
import { storage } from "#src/browser/storage.ts";
import { offeredLanguages, recognizedLanguage, targetsFor } from "./choosable-languages.ts";

const key = "speechLanguages";
const Chosen = v.object({
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.nullable(TextLanguage),
  heardBy: v.optional(v.literal("browser")),
});
export type ChosenLanguages = v.InferOutput<typeof Chosen>;

/**
 * The last choice in this browser if it is available. Otherwise the first available language, without translation.
 * @param use browser: also a language of the browser's own recognizer; files: also a translation by the speech engine
 */
export function chosenLanguages(engines: EnginesAnswer, use: { browser?: true; files?: true } = {}): ChosenLanguages {
  const stored = v.safeParse(v.pipe(v.string(), v.parseJson(), Chosen), storage.read(key));
  const works = (code: SpeechLanguage) => engines.speech.languages.some((option) => option.code === code && option.available);
  if (stored.success) {
    const { targetLanguage, heardBy } = stored.output;
    const sourceLanguage = recognizedLanguage(engines, stored.output.sourceLanguage);
    // Drops only a translation by the speech engine. Other engines may become available again.
    const isByEngine =
      targetLanguage !== null &&
      !targetsFor(engines, sourceLanguage).includes(targetLanguage) &&
      targetsFor(engines, sourceLanguage, true).includes(targetLanguage);
    if (works(sourceLanguage)) return { sourceLanguage, targetLanguage: isByEngine && !use.files ? null : targetLanguage };
    if (use.browser && heardBy === "browser") return stored.output;
  }
  const first = offeredLanguages(engines).find(({ available }) => available)?.code;
  return { sourceLanguage: first ?? "auto", targetLanguage: null };
}

export function rememberLanguages(chosen: ChosenLanguages): void {
  storage.write(key, JSON.stringify(chosen));
}
