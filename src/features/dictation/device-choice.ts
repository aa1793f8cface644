import type { SpeechLanguage } from "#contract/index.ts";
import type { RecorderLanguages } from "#machines/dictation/events.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

/** The language that the model on this device recognizes. */
export const english = "en";
export const isEnglish = (language: SpeechLanguage): boolean => baseLanguage(language) === english;

/**
 * Whether the model on this device recognizes a recording although the user has chosen the server. True without a
 * network, because otherwise the user would see no words.
 * @param mayListen the model is on this device, and fast enough
 */
export const isForDevice = (
  { heardBy, sourceLanguage }: RecorderLanguages,
  { isAway, mayListen }: { isAway: boolean; mayListen: boolean },
): boolean => heardBy === undefined && isAway && mayListen && isEnglish(sourceLanguage);
