import * as v from "valibot";
import { type EnginesAnswer, SpeechLanguage, TextLanguage } from "#contract/index.ts";
import { storage } from "#src/browser/storage.ts";

const key = "speechLanguages";
const Chosen = v.object({
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.nullable(TextLanguage),
  heardBy: v.optional(v.literal("browser")),
});
export type ChosenLanguages = v.InferOutput<typeof Chosen>;

/**
 * The last choice in this browser if it is available; else the first available language, without translation.
 * @param withBrowser whether a language that only the browser's recogniser hears may be meant
 */
export function chosenLanguages(engines: EnginesAnswer, withBrowser = false): ChosenLanguages {
  const kept = v.safeParse(v.pipe(v.string(), v.parseJson(), Chosen), storage.read(key));
  const works = (code: SpeechLanguage) => engines.speech.languages.some((option) => option.code === code && option.available);
  if (kept.success) {
    const { sourceLanguage, targetLanguage, heardBy } = kept.output;
    if (works(sourceLanguage)) return { sourceLanguage, targetLanguage };
    if (withBrowser && heardBy === "browser") return kept.output;
  }
  const first = engines.speech.languages.find(({ available }) => available)?.code;
  return { sourceLanguage: first ?? "auto", targetLanguage: null };
}

export function rememberLanguages(chosen: ChosenLanguages): void {
  storage.write(key, JSON.stringify(chosen));
}
