import { useTranslation } from "react-i18next";
import { languageName } from "#src/i18n/format.ts";
import type { DeviceTranslation } from "./translations.ts";

/** Returns the name of a translation model, such as "Translation from English into German". */
export function useTranslationName(): (model: Pick<DeviceTranslation, "source" | "target">) => string {
  const { t, i18n } = useTranslation("device-models");
  const { language } = i18n;
  return ({ source, target }) =>
    t("translation.name", { source: languageName(source, language), target: languageName(target, language) });
}
