import type { RecorderLanguages } from "#machines/dictation/events.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

/**
 * Whether the model on this device recognizes a recording for which the person has chosen the server: without a network nobody else
 * shows words. The model knows English.
 * @param mayListen the model is on this device, and fast enough
 */
export const isForDevice = (
  { heardBy, sourceLanguage }: RecorderLanguages,
  { isAway, mayListen }: { isAway: boolean; mayListen: boolean },
): boolean => heardBy === undefined && isAway && mayListen && baseLanguage(sourceLanguage) === "en";
