import type { LanguageDetectorModule } from "i18next";
import { nearestInterfaceLanguage } from "#contract/first-visit/interface-languages.ts";

/** The lifetime of the language cookie (SPEC.md section 9, "Language cache"). */
const cacheMinutes = 160;
const [cookieName, key] = ["i18next", "i18nextLng"];

/** A browser may forbid cookies and storage. */
function attempt<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/**
 * The language of the address, of the cookie, of the local storage, or of the browser, in this order; the choice is kept in cookie and
 * storage (SPEC.md section 4, "Language choice"). A tenth of i18next's own detector, which every first visit would load.
 */
export const languageDetector: LanguageDetectorModule = {
  type: "languageDetector",
  detect: () =>
    nearestInterfaceLanguage(
      new URLSearchParams(location.search).get("lng") ||
        attempt(() => new RegExp(`(?:^|; )${cookieName}=([^;]+)`).exec(document.cookie)?.[1]) ||
        attempt(() => localStorage.getItem(key)) ||
        navigator.language ||
        "",
    ),
  cacheUserLanguage: (language) => {
    attempt(() => localStorage.setItem(key, language));
    attempt(() => {
      const expires = new Date(Date.now() + cacheMinutes * 60_000).toUTCString();
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is asynchronous, and the next page may be asked for at once.
      document.cookie = `${cookieName}=${language}; Domain=${location.hostname}; Path=/; Expires=${expires}; SameSite=Strict`;
    });
  },
};
