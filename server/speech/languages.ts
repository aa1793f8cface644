import type { SpeechLanguage } from "#contract/index.ts";

/** "es-ES" as ISO 639-1 ("es"); undefined for "auto". */
export function isoOf(language: SpeechLanguage): string | undefined {
  return language === "auto" ? undefined : language.slice(0, 2);
}
