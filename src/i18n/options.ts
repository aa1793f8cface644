import type { InitOptions } from "i18next";
import { fallbackLanguage, interfaceLanguages } from "#contract/interface-languages.ts";

/** How i18next works in the page and in its renderer. */
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
  // Routes load their texts before they are shown. A file that comes late replaces the fallback language's texts.
  react: { useSuspense: false, bindI18nStore: "added" },
} satisfies InitOptions;
