import i18next from "i18next";
import { fallbackLanguage } from "#contract/first-visit/interface-languages.ts";
import { inFallback, isThere } from "./fallback.ts";
import { languageDetector } from "./language-detector.ts";
import { localeFiles } from "./locale-files.ts";
import { i18nOptions } from "./options.ts";

/**
 * Starts i18next. Two namespaces: `translation` (shell, landing page, sign-in, errors) is loaded first, `app` (the signed-in
 * pages) by the route that guards them. Resolves when the first one is loaded, if only in the fallback language, or has failed
 * for good: keys are better than nothing.
 */
export async function startI18n(): Promise<void> {
  const follow = () => {
    const isThere = i18next.hasResourceBundle(i18next.language, "translation");
    document.documentElement.lang = isThere ? i18next.language : fallbackLanguage;
  };
  i18next.on("languageChanged", follow);
  const started = i18next.use(localeFiles).use(languageDetector).init(i18nOptions);
  await Promise.race([started, inFallback(i18next, "translation")]);
  follow();
}

/** Resolves when the texts are loaded, if only in the fallback language, or have failed for good. */
export async function loadTexts(namespace: string): Promise<void> {
  // `loadNamespaces` waits for every file in flight, of other namespaces, too.
  const there = isThere(i18next, i18next.language, namespace);
  await Promise.race([i18next.loadNamespaces(namespace), inFallback(i18next, namespace), there]);
}

/** Whether the page speaks this language, and all texts that it has loaded are in it: none in the fallback's. */
export function speaksOnly(language: string): boolean {
  const namespaces = Object.keys(i18next.getDataByLanguage(fallbackLanguage) ?? {});
  return (
    i18next.language === language && ["translation", ...namespaces].every((name) => i18next.hasResourceBundle(language, name))
  );
}

export { i18next as i18n };
