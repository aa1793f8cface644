import { useTranslation } from "react-i18next";
import { baseLanguage } from "#src/i18n/base-language.ts";
import styles from "./landing.module.css";

/** More are counted instead of named. */
const named = 12;

/** The codes that the page server has written into the page (server/page/languages.ts); undefined: another server did not. */
const codesOf = (name: string): string[] | undefined =>
  document.querySelector<HTMLMetaElement>(`meta[name="parlance-${name}"]`)?.content.match(/\S+/g) ?? undefined;

/** What this server recognises and translates, and a plain word to whom it does not hear. */
export function LanguagesHere() {
  const { t, i18n } = useTranslation();
  const lng = i18n.language;
  if (!document.querySelector('meta[name="parlance-hears"]')) return null;
  const hears = codesOf("hears") ?? [];
  const into = codesOf("translates") ?? [];
  const names = new Intl.DisplayNames(lng, { type: "language" });
  const list = (codes: string[]) =>
    codes.length > named
      ? t("landing.languages.many", { count: codes.length })
      : new Intl.ListFormat(lng).format(codes.map((code) => names.of(code) ?? code));
  const own = baseLanguage(lng);
  return (
    <p className={styles.languages}>
      {hears.length > 0 ? t("landing.languages.hears", { languages: list(hears) }) : t("landing.languages.deaf")}{" "}
      {t(into.length > 0 ? "landing.languages.into" : "landing.languages.notInto", { languages: list(into) })}
      {hears.includes(own) ? null : <strong>{t("landing.languages.notYours", { language: names.of(own) })}</strong>}
    </p>
  );
}
