import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { languageName } from "#src/i18n/format.ts";
import type { ComboboxOption } from "#src/ui/combobox/options.ts";
import type { Translator } from "./actor.ts";
import { detected, type SideLanguage } from "./side-languages.ts";

/** Returns a language's name in the interface language. */
export function useLanguageName({ languages }: Pick<Translator, "languages">): (code: string) => string {
  const { t, i18n } = useTranslation("translator");
  return languageNames(languages, t, i18n.language);
}

/** @param interfaceLanguage language of the names, and of `t` */
export function languageNames(
  languages: readonly SideLanguage[],
  t: TFunction<"translator">,
  interfaceLanguage: string,
): (code: string) => string {
  return (spoken) => {
    if (spoken === detected) return t("language.auto");
    // Names a regional variant after its base language if that is in the list.
    const base = spoken.split("-")[0] ?? spoken;
    const isListed = languages.some((language) => language.code === spoken);
    const code = !isListed && languages.some((language) => language.code === base) ? base : spoken;
    const named = languageName(code, interfaceLanguage);
    return named === code ? (languages.find((language) => language.code === code)?.name ?? code) : named;
  };
}

/** A language's native name; undefined for detection. */
export function nativeName({ languages }: Pick<Translator, "languages">, code: string): string | undefined {
  return languages.find((language) => language.code === code)?.nativeName;
}

/** All languages as options of the combobox. @param detects whether detection can be chosen */
export function useLanguageOptions(translator: Translator, detects: boolean): readonly ComboboxOption[] {
  const { t } = useTranslation("translator");
  const nameOf = useLanguageName(translator);
  const optionOf = ({ code, name, nativeName: detail, ability }: SideLanguage): ComboboxOption => ({
    value: code,
    label: nameOf(code),
    detail,
    keywords: [code, name, detail],
    group: t(`language.group.${ability}`),
    note: ability === "spoken" ? undefined : t(`language.note.${ability}`),
    disabled: ability === "none" || ability === "heard",
  });
  const auto = { value: detected, label: t("language.auto"), keywords: [detected], group: t("language.group.spoken") };
  return [...(detects ? [auto] : []), ...translator.languages.map(optionOf)];
}
