import { useTranslation } from "react-i18next";
import { pageFact } from "#src/browser/server-rendered.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { languageName } from "#src/i18n/format.ts";
import styles from "./languages-here.module.css";
import { serverLanguages } from "./server-languages.ts";

/** Maximum number of languages to name. The others are counted. */
const named = 12;

/** The languages that this server recognizes and translates, and a note for speakers of other languages. */
export function LanguagesHere() {
  const { t, i18n } = useTranslation();
  const lng = i18n.language;
  if (pageFact("hears") === undefined) return null;
  const recognized = serverLanguages("hears");
  const into = serverLanguages("translates");
  const list = (codes: string[]) =>
    codes.length > named
      ? t("landing.languages.many", { count: codes.length })
      : new Intl.ListFormat(lng).format(codes.map((code) => languageName(code, lng)));
  const own = baseLanguage(lng);
  return (
    // The browser may format lists and names slightly differently from the server.
    <p className={`note ${styles.languages}`} suppressHydrationWarning>
      {recognized.length > 0 ? t("landing.languages.hears", { languages: list(recognized) }) : t("landing.languages.deaf")}{" "}
      {t(into.length > 0 ? "landing.languages.into" : "landing.languages.notInto", { languages: list(into) })}
      {recognized.includes(own) ? null : (
        <strong suppressHydrationWarning>{t("landing.languages.notYours", { language: languageName(own, lng) })}</strong>
      )}
    </p>
  );
}
