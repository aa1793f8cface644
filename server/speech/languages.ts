import { type SpeechLanguage, speechLanguages } from "#contract/index.ts";

/** "es-ES" as ISO 639-1 ("es"); undefined for "auto". */
export function isoOf(language: SpeechLanguage): string | undefined {
  return language === "auto" ? undefined : language.slice(0, 2);
}

/** The speech language of an ISO 639-1 code; undefined when it is none of the contract's. */
export function speechLanguageOf(iso: string): SpeechLanguage | undefined {
  return speechLanguages.find((language) => isoOf(language) === iso);
}
