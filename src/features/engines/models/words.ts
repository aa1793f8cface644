import type { TFunction } from "i18next";
import type { UseTranslationResponse } from "react-i18next";
import type { AdminModel, ModelPurpose } from "#contract/index.ts";
import { bytes, languageName } from "#src/i18n/format.ts";
import type { ComboboxOption } from "#src/ui/combobox-options.ts";

/** The texts of the page in the language of the interface. */
export interface Words {
  t: TFunction<"models">;
  language: string;
}

/** @param translation of `useTranslation("models")` */
export const wordsOf = ({ t, i18n }: Pick<UseTranslationResponse<"models", undefined>, "t" | "i18n">): Words => ({
  t,
  language: i18n.language,
});

const number = (value: number, { language }: Words) =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(value);

const percent = (value: number, { language }: Words) =>
  new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 }).format(value / 100);

/** "German, English and French". */
export const languageList = (codes: readonly string[], { language }: Words): string =>
  new Intl.ListFormat(language).format(codes.map((code) => languageName(code, language)));

/** What people call it: a translation model is its pair, and what has no name is its folder's. */
export function modelName({ pair, name, id }: AdminModel, words: Words): string {
  if (pair === null) return name ?? id;
  const [source, target] = [pair.source, pair.target].map((code) => languageName(code, words.language));
  return words.t("models:pair", { source, target });
}

/** Its languages, or how many. */
export function languagesText(model: AdminModel, words: Words): string {
  const count = model.languageCount ?? model.languages.length;
  if (count === 0) return words.t("models:model.anyLanguage");
  return count > 4 ? words.t("models:model.languages", { count }) : languageList(model.languages, words);
}

/** What one compares at a glance, most important first. */
export function summary(model: AdminModel, words: Words): string[] {
  const { t, language } = words;
  const { pair, wordErrors, comet, downloadBytes, installed, diskBytes } = model;
  const size =
    installed !== null
      ? t("models:model.onDisk", { size: bytes(diskBytes, language) })
      : downloadBytes === null
        ? t("models:model.roughSize", { size: bytes(diskBytes, language) })
        : t("models:model.size", { size: bytes(downloadBytes, language) });
  return [
    ...(pair === null ? [languagesText(model, words)] : []),
    ...(wordErrors === null ? [] : [t("models:model.wrongWords", { percent: percent(wordErrors.percent, words) })]),
    ...(comet === null ? [] : [t("models:model.quality", { score: number(comet.score, words) })]),
    size,
  ];
}

/** A time in its fitting unit: "85 ms", "7 sec", "2 min". */
function duration(seconds: number, { language }: Words): string {
  const [value, unit] =
    seconds >= 90 ? [seconds / 60, "minute"] : seconds >= 1 ? [seconds, "second"] : [seconds * 1000, "millisecond"];
  const digits = { maximumSignificantDigits: value < 10 ? 2 : 3 };
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short", ...digits }).format(value);
}

/** How fast it is here; null before it was measured. */
export function speedHere({ measuredSpeed, purpose }: AdminModel, words: Words): string | null {
  if (measuredSpeed === null) return null;
  if (purpose === "translation") {
    return words.t("models:facts.speedWords", { time: duration(measuredSpeed.factor / 1000, words) });
  }
  return words.t("models:facts.speedHere", { time: duration(measuredSpeed.factor * 60, words) });
}

/** As published: seconds of work per second of audio, then on which machine, in English; null when it is not. */
export function publishedSpeed({ publishedSpeed: published }: AdminModel, words: Words): { text: string; note: string } | null {
  if (published === null) return null;
  const [, factor, note = ""] = /^([\d.]+)\s*(.*)$/.exec(published) ?? [];
  if (factor === undefined) return { text: "", note: published };
  return { text: words.t("models:facts.speedPublished", { time: duration(Number(factor) * 60, words) }), note };
}

export function errorsText({ wordErrors }: AdminModel, words: Words): string {
  if (wordErrors === null) return words.t("models:facts.errorsUnknown");
  return words.t("models:facts.errorsText", { percent: number(wordErrors.percent, words), on: wordErrors.on });
}

/** Null for what does not translate. */
export function qualityText({ comet }: AdminModel, words: Words): string | null {
  if (comet === null) return null;
  const score = number(comet.score, words);
  if (comet.google === null) return words.t("models:facts.qualityText", { score });
  return words.t("models:facts.qualityGoogle", { score, google: number(comet.google, words) });
}

/** What it can do besides, each as the end of "It also …". */
export function extras(model: AdminModel, words: Words): string[] {
  const { t } = words;
  return [
    ...(model.isStreaming ? [t("models:facts.streaming")] : []),
    ...(model.takesVocabulary ? [t("models:facts.vocabulary")] : []),
    ...(model.translatesSpeech.length === 0
      ? []
      : [
          t("models:facts.translates", {
            languages: languageList([...new Set(model.translatesSpeech.map(({ target }) => target))], words),
          }),
        ]),
  ];
}

/** All languages that a model of the catalogue knows, by name. @param purpose of these models alone */
export function languageOptions(models: readonly AdminModel[], { language }: Words, purpose?: ModelPurpose): ComboboxOption[] {
  const codes = new Set(
    models.filter((model) => purpose === undefined || model.purpose === purpose).flatMap((model) => model.languages),
  );
  return [...codes]
    .map((code) => ({
      value: code,
      label: languageName(code, language),
      detail: languageName(code, code),
      keywords: [code, languageName(code, code)],
      group: "",
    }))
    .toSorted((a, b) => a.label.localeCompare(b.label, language));
}

/** With what somebody should know of it; "unknown" is the server's word for none that it knows. */
export function licenceText({ licence, caveat }: AdminModel, { t }: Words): string {
  const name = licence === "unknown" ? t("models:facts.unknown") : licence;
  return caveat === null ? name : `${name}. ${t(`models:caveat.${caveat}`)}`;
}
