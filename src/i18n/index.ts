import i18next from "i18next";
import LanguageDetector, { type DetectorOptions } from "i18next-browser-languagedetector";
import HttpBackend from "i18next-http-backend";
import { initReactI18next } from "react-i18next";
import { fallbackLanguage, nearestInterfaceLanguage } from "#contract/interface-languages.ts";
import { i18nOptions } from "./options.ts";

/** Where the language is detected and stored (SPEC.md section 4, "Language choice"). */
const detection = (): DetectorOptions => ({
  order: ["address", "cookie", "localStorage", "navigator"],
  caches: ["localStorage", "cookie"],
  // SPEC.md section 9, "Language cache".
  cookieMinutes: 160,
  cookieDomain: location.hostname,
});

/** Ignores detected languages that the product does not offer. */
class OfferedLanguageDetector extends LanguageDetector {
  override detect(): string {
    return nearestInterfaceLanguage([super.detect() ?? []].flat());
  }
}

/** All `lng` parameters of the address, decoded as in index.html and the server. */
const address = { name: "address", lookup: () => new URLSearchParams(location.search).getAll("lng") };

function languageDetector(): LanguageDetector {
  const detector = new OfferedLanguageDetector();
  detector.addDetector(address);
  return detector;
}

/**
 * Starts i18next. `translation` (shell, landing page, sign-in, errors) is loaded first; the signed-in pages' guard
 * loads `app`. Resolves when the first one is loaded or has finally failed, because showing keys is better than
 * nothing.
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

/** Resolves when the texts are loaded, at least in the fallback language, or have finally failed. */
export async function loadTexts(namespace: string): Promise<void> {
  await i18next.loadNamespaces(namespace);
}

/**
 * Whether the page uses this language, and all loaded texts are available in it, none only in the fallback language.
 */
export function speaksOnly(language: string): boolean {
  const namespaces = Object.keys(i18next.getDataByLanguage(fallbackLanguage) ?? {});
  return (
    i18next.language === language && ["translation", ...namespaces].every((name) => i18next.hasResourceBundle(language, name))
  );
}

export { i18next as i18n };
