import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AdminModel } from "#contract/index.ts";
import { bytes, date } from "#src/i18n/format.ts";
import styles from "./models.module.css";
import {
  errorsText,
  extras,
  languageList,
  licenceText,
  publishedSpeed,
  qualityText,
  speedHere,
  type Words,
  wordsOf,
} from "./words.ts";

/** Everything that is known of a model. */
export function Facts({ model }: { model: AdminModel }) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const size = (count: number) => t("facts.roughly", { size: bytes(count, language) });
  const also = extras(model, words);
  const isBuiltIn = model.installed?.source === "builtIn";
  const facts: { name: string; text: ReactNode }[] = [
    { name: t("facts.languages"), text: languagesFact(model, words) },
    { name: t("facts.errors"), text: model.purpose === "hearing" ? errorsText(model, words) : null },
    { name: t("facts.quality"), text: qualityText(model, words) },
    { name: t("facts.speed"), text: <Speed model={model} /> },
    { name: t("facts.extras"), text: also.length === 0 ? null : also.join("; ") },
    {
      name: t("facts.download"),
      text: isBuiltIn ? null : model.downloadBytes === null ? t("facts.unknown") : bytes(model.downloadBytes, language),
    },
    { name: t("facts.address"), text: model.addresses.length === 0 ? null : <Addresses model={model} /> },
    { name: t("facts.disk"), text: model.installed === null ? size(model.diskBytes) : bytes(model.diskBytes, language) },
    { name: t("facts.memory"), text: size(model.memoryBytes) },
    { name: t("facts.licence"), text: licenceText(model, words) },
    { name: t("facts.check"), text: t(`check.${model.check}`) },
    { name: t("facts.added"), text: model.installed === null ? null : addedText(model.installed, words) },
    { name: t("facts.id"), text: <code>{model.id}</code> },
  ];
  return (
    <dl className={styles.facts}>
      {facts
        .filter(({ text }) => text !== null)
        .map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  );
}

function languagesFact({ languages, languageCount, detects, pair }: AdminModel, words: Words): string | null {
  if (languages.length === 0 || pair !== null) return null;
  const listed = languageList(languages, words);
  const all = languageCount === undefined ? listed : words.t("facts.about", { count: languageCount, languages: listed });
  return detects && languages.length > 1 ? `${all}. ${words.t("facts.detects")}` : all;
}

function addedText({ source, at }: NonNullable<AdminModel["installed"]>, { t, language }: Words): string {
  return t(`source.${source}`, { date: at === null ? "" : date(at, language) });
}

/** For somebody who fetches it elsewhere, to import it as a file. */
function Addresses({ model: { addresses } }: { model: AdminModel }) {
  return addresses.map((address) => (
    <p key={address}>
      <a href={address} rel="noreferrer">
        {address.replace("https://", "")}
      </a>
    </p>
  ));
}

/** Measured here, or as published. */
function Speed({ model }: { model: AdminModel }) {
  const words = wordsOf(useTranslation("models"));
  const here = speedHere(model, words);
  const published = publishedSpeed(model, words);
  return (
    <>
      {here === null ? null : <p>{here}</p>}
      {published === null ? null : (
        <p>
          {published.text} <span lang="en">{published.note}</span>
        </p>
      )}
      {here === null && model.installed === null ? <p>{words.t("facts.speedUnknown")}</p> : null}
    </>
  );
}
