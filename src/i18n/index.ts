import i18next from "i18next";
import LanguageDetector, { type DetectorOptions } from "i18next-browser-languagedetector";
import HttpBackend from "i18next-http-backend";
import { initReactI18next } from "react-i18next";
import { fallbackLanguage, nearestInterfaceLanguage } from "#contract/interface-languages.ts";
import { i18nOptions } from "./options.ts";

/** Where the language comes from and is kept (SPEC.md section 4, "Language choice"). */
const detection = (): DetectorOptions => ({
  order: ["address", "cookie", "localStorage", "navigator"],
  caches: ["localStorage", "cookie"],
  // SPEC.md section 9, "Language cache".
  cookieMinutes: 160,
  cookieDomain: location.hostname,
});

/** Takes the first language that is offered, wherever it was found: one that is not offered counts as none. */
class OfferedLanguageDetector extends LanguageDetector {
  override detect(): string {
    return nearestInterfaceLanguage([super.detect() ?? []].flat());
  }
}

/** Each `lng` of the address, decoded, as index.html and the server read them. */
const address = { name: "address", lookup: () => new URLSearchParams(location.search).getAll("lng") };

function languageDetector(): LanguageDetector {
  const detector = new OfferedLanguageDetector();
  detector.addDetector(address);
  return detector;
}

/**
 * Starts i18next. Two namespaces: `translation` (shell, landing page, sign-in, errors) is loaded first, `app` (the
 * signed-in pages) by the route that guards them. Resolves when the first one is loaded, or has failed for good: keys
 * are better than nothing.
 */
export async function startI18n(): Promise<void> {
  const follow = () => {
    const isThere = i18next.hasResourceBundle(i18next.language, "translation");
    document.documentElement.lang = isThere ? i18next.language : fallbackLanguage;
  };
  i18next.on("languageChanged", follow);
  await i18next
    .use(HttpBackend)
    .use(languageDetector())
    .use(initReactI18next)
    .init({ ...i18nOptions, detection: detection() });
  follow();
}

/** Resolves when the texts are loaded, if only in the fallback language, or have failed for good. */
export async function loadTexts(namespace: string): Promise<void> {
  await i18next.loadNamespaces(namespace);
}

/** Whether the page speaks this language, and all texts that it has loaded are in it: none in the fallback's. */
export function speaksOnly(language: string): boolean {
  const namespaces = Object.keys(i18next.getDataByLanguage(fallbackLanguage) ?? {});
  return (
    i18next.language === language && ["translation", ...namespaces].every((name) => i18next.hasResourceBundle(language, name))
  );
}

export { i18next as i18n };
