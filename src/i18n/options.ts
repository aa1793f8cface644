import type { InitOptions } from "i18next";
import { fallbackLanguage, interfaceLanguages } from "#contract/interface-languages.ts";

/** Options of i18next for the page and the renderer. */
export const i18nOptions = {
  supportedLngs: interfaceLanguages.map(({ code }) => code),
  fallbackLng: fallbackLanguage,
  ns: ["translation"],
  defaultNS: "translation",
  fallbackNS: "translation",
  load: "currentOnly",
  // SPEC.md section 7, "Languages and health".
  saveMissing: false,
  maxRetries: 5,
  retryTimeout: 350,
  maxParallelReads: 10,
  interpolation: { escapeValue: false },
  // Routes load their texts before they render. A text file that arrives late replaces the fallback language's texts.
  react: { useSuspense: false, bindI18nStore: "added" },
} satisfies InitOptions;
