import i18next from "i18next";
import LanguageDetector from "i18next-browser-languagedetector";
import HttpBackend from "i18next-http-backend";
import { initReactI18next } from "react-i18next";
import { interfaceLanguages, nearestInterfaceLanguage } from "./languages.ts";

/** How long the chosen language is remembered in the cookie (SPEC.md section 9, "Language cache"). */
const languageCacheMinutes = 160;

/**
 * Starts the texts. Two namespaces: `translation` (shell, landing page, sign-in, errors) comes first, `app` (the signed-in pages) is
 * loaded by the route that guards them. Resolves when the first one is there, or has failed for good: keys are better than nothing.
 */
export async function startI18n(): Promise<void> {
  await i18next
    .use(HttpBackend)
    .use(LanguageDetector)
    .use(initReactI18next)
    .init({
      supportedLngs: interfaceLanguages.map(({ code }) => code),
      fallbackLng: "en",
      ns: ["translation"],
      defaultNS: "translation",
      fallbackNS: "translation",
      load: "currentOnly",
      saveMissing: false,
      maxRetries: 5,
      retryTimeout: 350,
      maxParallelReads: 10,
      interpolation: { escapeValue: false },
      react: { useSuspense: false },
      backend: { loadPath: "/locales/{{lng}}/{{ns}}.json" },
      detection: {
        order: ["querystring", "cookie", "localStorage", "navigator"],
        lookupQuerystring: "lng",
        caches: ["localStorage", "cookie"],
        cookieMinutes: languageCacheMinutes,
        cookieDomain: location.hostname,
        convertDetectedLanguage: nearestInterfaceLanguage,
      },
    });
  const follow = () => {
    document.documentElement.lang = i18next.language;
  };
  follow();
  i18next.on("languageChanged", follow);
}

export { i18next as i18n };
