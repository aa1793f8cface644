import type { TFunction } from "i18next";
import type { UseTranslationResponse } from "react-i18next";
import type { AdminModel } from "#contract/index.ts";
import type { Need } from "#machines/models/needs.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { bytes, languageName } from "#src/i18n/format.ts";

/** The page's texts in the interface language. */
export interface Words {
  t: TFunction<"models">;
  language: string;
}

/** @param translation the result of `useTranslation("models")` */
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

/** The model's readable name. A translation model is named after its pair, a model without a name after its folder. */
export function modelName({ pair, name, id }: AdminModel, words: Words): string {
  if (pair === null) return name ?? id;
  const [source, target] = [pair.source, pair.target].map((code) => languageName(code, words.language));
  return words.t("models:pair", { source, target });
}

/** The model's languages, or their number. */
function languagesText(model: AdminModel, words: Words): string {
  const count = model.languageCount ?? model.languages.length;
  if (count === 0) return words.t("models:model.anyLanguage");
  return count > 4 ? words.t("models:model.languages", { count }) : languageList(model.languages, words);
}

/** The model's size on the disk, or of its download. */
export function sizeText({ installed, diskBytes, downloadBytes }: AdminModel, { t, language }: Words): string {
  if (installed !== null) return t("models:model.onDisk", { size: bytes(diskBytes, language) });
  if (downloadBytes === null) return t("models:model.roughSize", { size: bytes(diskBytes, language) });
  return t("models:model.size", { size: bytes(downloadBytes, language) });
}

/** The most important facts for a comparison, in order. */
export function summary(model: AdminModel, words: Words): string[] {
  const { t } = words;
  const { pair, wordErrors, comet } = model;
  return [
    ...(pair === null ? [languagesText(model, words)] : []),
    ...(wordErrors === null ? [] : [t("models:model.wrongWords", { percent: percent(wordErrors.percent, words) })]),
    ...(comet === null ? [] : [t("models:model.quality", { score: number(comet.score, words) })]),
    sizeText(model, words),
  ];
}

/** A duration in a suitable unit: "85 ms", "7 sec", "2 min". */
function duration(seconds: number, { language }: Words): string {
  const [value, unit] =
    seconds >= 90 ? [seconds / 60, "minute"] : seconds >= 1 ? [seconds, "second"] : [seconds * 1000, "millisecond"];
  const digits = { maximumSignificantDigits: value < 10 ? 2 : 3 };
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short", ...digits }).format(value);
}

/** The speed measured on this server; null if not measured yet. */
export function speedHere({ measuredSpeed, purpose }: AdminModel, words: Words): string | null {
  if (measuredSpeed === null) return null;
  if (purpose === "translation") {
    return words.t("models:facts.speedWords", { time: duration(measuredSpeed.factor / 1000, words) });
  }
  return words.t("models:facts.speedHere", { time: duration(measuredSpeed.factor * 60, words) });
}

/** The published speed in seconds of work per second of audio, and the machine (in English); null when unpublished. */
export function publishedSpeed({ publishedSpeed: published }: AdminModel, words: Words): { text: string; note: string } | null {
  if (published === null) return null;
  const [, factor, note = ""] = /^([\d.]+)\s*(.*)$/.exec(published) ?? [];
  if (factor === undefined) return { text: "", note: published };
  return { text: words.t("models:facts.speedPublished", { time: duration(Number(factor) * 60, words) }), note };
}

export function errorsText({ wordErrors }: AdminModel, words: Words): string {
  if (wordErrors === null) return words.t("models:facts.errorsUnknown");
  return words.t("models:facts.errorsText", { percent: percent(wordErrors.percent, words), on: wordErrors.on });
}

/** Null if the model does not translate. */
export function qualityText({ comet }: AdminModel, words: Words): string | null {
  if (comet === null) return null;
  const score = number(comet.score, words);
  if (comet.google === null) return words.t("models:facts.qualityText", { score });
  return words.t("models:facts.qualityGoogle", { score, google: number(comet.google, words) });
}

/** Further abilities, each as the end of "It also …". */
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

/**
 * Why these models are suggested for a need, or what meets the need already.
 * @param builtIn the model that comes with the product
 */
export function reasonFor({ id, models, languages, isMet }: Need, builtIn: AdminModel | undefined, words: Words): string {
  const { t, language } = words;
  const percentOf = (model: AdminModel | undefined) => percent(model?.wordErrors?.percent ?? 0, words);
  const values = {
    name: new Intl.ListFormat(language).format(models.map((model) => modelName(model, words))),
    languages: languageList(languages, words),
    percent: percentOf(models[0]),
    builtIn: percentOf(builtIn),
  };
  if (id === "speakers" || id === "translation") return t(`models:needs.${id}.reason`);
  return t(`models:needs.${id}.${isMet ? "met" : "reason"}`, values);
}

/** The default target language: the user's own, or Spanish for English. @param preferred best first */
export const firstTarget = (preferred: readonly string[]): string =>
  preferred.map(baseLanguage).find((code) => code !== "en") ?? "es";

/** The license with its caveats. "unknown" is the server's word for an unknown license. */
export function licenceText({ licence, caveat }: AdminModel, { t }: Words): string {
  const name = licence === "unknown" ? t("models:facts.unknown") : licence;
  return caveat === null ? name : `${name}. ${t(`models:caveat.${caveat}`)}`;
}
