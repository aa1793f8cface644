import type { EnginesAnswer, Transcription } from "#contract/index.ts";
import { createStore } from "#src/browser/store.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import type { DeviceTranslation } from "#src/features/device-models/translations.ts";
import { loadEngines } from "#src/features/engines/actor.ts";
import { recognizedLanguage } from "#src/features/engines/choosable-languages.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";

export type Translators = ReturnType<typeof createTranslators>;

/** The translators that this device has or can download. Requesting them reveals nothing about any text. */
export function createTranslators() {
  const engines = createStore<EnginesAnswer | null>(null);
  const find = (source: string, target: string): DeviceTranslation | undefined =>
    deviceModels().translation(engines.get(), source, target);
  return {
    /** The server's engines; null until they are known. */
    engines,
    /** Without an answer, the known engines stay. */
    load: () => void loadEngines().then(engines.set, () => {}),
    find,
    /** @returns a two-letter code */
    languageOf: ({ sourceLanguage }: Transcription): string => baseLanguage(recognizedLanguage(engines.get(), sourceLanguage)),
    /** The languages into which a text can be translated. */
    targetsOf: (source: string): string[] => deviceModels().targetsFrom(engines.get(), source),
  };
}
