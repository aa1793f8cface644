import { useSelector } from "@xstate/react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import type { AdminModel, ModelsAnswer } from "#contract/index.ts";
import { isToInstall } from "#machines/models/rules.ts";
import { selectFailures } from "#machines/models/selectors.ts";
import { bytes, date } from "#src/i18n/format.ts";
import { Badge, type BadgeTone } from "#src/ui/badge.tsx";
import { Button } from "#src/ui/button.tsx";
import { type Fact, FactList } from "#src/ui/fact-list.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { Actions, type ModelPlace } from "./actions.tsx";
import type { Models } from "./actor.ts";
import { InstallationView } from "./installation.tsx";
import styles from "./models.module.css";
import {
  errorsText,
  extras,
  languageList,
  licenceText,
  modelName,
  publishedSpeed,
  qualityText,
  speedHere,
  summary,
  type Words,
  wordsOf,
} from "./words.ts";

interface ModelItemProps {
  models: Models;
  model: AdminModel;
  machine: ModelsAnswer["machine"];
  place: ModelPlace;
}

/**
 * One model: its description, its actions, and its installation. Its name takes the focus when one of its buttons
 * disappears.
 */
export function ModelItem({ models, model, machine, place }: ModelItemProps) {
  const words = wordsOf(useTranslation("models"));
  const id = useId();
  const speed = speedHere(model, words);
  return (
    <article className="stack" aria-labelledby={id} data-place={place}>
      <div className="row apart top">
        <div className={`stack gap-1 ${styles.itemText}`}>
          <h3 id={id} tabIndex={-1} data-model={model.id}>
            {modelName(model, words)}
          </h3>
          <ul className={styles.inline}>
            {[...summary(model, words), ...(speed === null ? [] : [speed])].map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
          <Badges model={model} place={place} />
        </div>
        <Actions models={models} model={model} place={place} />
      </div>
      <Warnings model={model} machine={machine} />
      <InstallationView model={model} />
      <CommandFailed models={models} model={model} />
      <details className={`size-1 ${styles.details}`}>
        <summary aria-label={words.t("model.moreOf", { name: modelName(model, words) })}>{words.t("model.more")}</summary>
        <Facts model={model} />
      </details>
    </article>
  );
}

function Badges({ model, place }: Pick<ModelItemProps, "model" | "place">) {
  const words = wordsOf(useTranslation("models"));
  const { t } = words;
  const { installed, isStreaming, recommendedFor, pair } = model;
  const isRecommended = recommendedFor.length > 0 && pair === null && installed === null && place === "catalogue";
  const badges: { text: string; tone?: BadgeTone }[] = [
    ...(installed !== null && place !== "ours" ? [{ text: t("model.installed"), tone: "good" as const }] : []),
    ...(installed?.source === "builtIn" ? [{ text: t("model.builtIn") }] : []),
    ...(installed?.isInUse ? [{ text: t("model.inUse"), tone: "good" as const }] : []),
    ...(installed !== null && installed.fault !== null ? [{ text: t("model.broken"), tone: "danger" as const }] : []),
    ...(isRecommended ? [{ text: recommendedText(recommendedFor, words), tone: "accent" as const }] : []),
    ...(isStreaming ? [{ text: t("model.streaming") }] : []),
  ];
  if (badges.length === 0) return null;
  return (
    <p className={`row gap-1 ${styles.badges}`}>
      {badges.map(({ text, tone }) => (
        <Badge key={text} tone={tone}>
          {text}
        </Badge>
      ))}
    </p>
  );
}

const recommendedText = (languages: readonly string[], words: Words): string =>
  languages.length > 3
    ? words.t("model.recommended")
    : words.t("model.recommendedFor", { languages: languageList(languages, words) });

/** Warnings before the download, and why an installed model can't be used. */
export function Warnings({ model, machine }: Pick<ModelItemProps, "model" | "machine">) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const { lacks, caveat } = model;
  const size = (count: number) => bytes(count, language);
  const lacking = {
    memory: { needed: size(model.memoryBytes), there: size(machine.memoryBytes) },
    disk: { needed: size(model.diskBytes), there: size(machine.freeDiskBytes) },
  };
  const warnings: { key: string; text: ReactNode }[] = isToInstall(model)
    ? [
        ...lacks.map((what) => ({ key: what, text: t(`model.lacks.${what}`, lacking[what]) })),
        ...(caveat === null ? [] : [{ key: "licence", text: `${t("facts.licence")}: ${licenceText(model, words)}` }]),
      ]
    : installedWarnings(model, words);
  if (warnings.length === 0) return null;
  return (
    <ul className={`stack gap-1 measure fine ${styles.warnings}`}>
      {warnings.map(({ key, text }) => (
        <li key={key} className="line top" data-strong={key !== "licence" || undefined}>
          {key === "licence" ? null : <Icon name="warning" />}
          <span>{text}</span>
        </li>
      ))}
    </ul>
  );
}

/** Why an installed model can't be used, or that it is too slow for live use. */
function installedWarnings({ installed, keepsUp, purpose }: AdminModel, { t }: Words): { key: string; text: ReactNode }[] {
  if (installed?.fault) return [{ key: "fault", text: <span lang="en">{installed.fault}</span> }];
  if (keepsUp !== false || (purpose !== "hearing" && purpose !== "speaking")) return [];
  return [{ key: "slow", text: t(`model.slow.${purpose}`) }];
}

/** Why the server refused a command. */
export function CommandFailed({ models, model: { id } }: Pick<ModelItemProps, "models" | "model">) {
  const { t } = wordsOf(useTranslation("models"));
  const failure = useSelector(models, (snapshot) => selectFailures(snapshot)[id]);
  if (failure === undefined) return null;
  const { action, code } = failure;
  return (
    <Notice
      tone="danger"
      actions={<Button onClick={() => models.send({ type: "failure.dismissed", id })}>{t("action.dismiss")}</Button>}
    >
      <strong>{t(`actionFailed.${action}`)}</strong>
      <p>{code === "conflict" ? t(action === "remove" ? "conflict.remove" : "conflict.other") : t(`errors.${code}`)}</p>
    </Notice>
  );
}

/** All known details of a model. */
function Facts({ model }: { model: AdminModel }) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const size = (count: number) => t("facts.roughly", { size: bytes(count, language) });
  const also = extras(model, words);
  const isBuiltIn = model.installed?.source === "builtIn";
  const facts: Fact[] = [
    { name: t("facts.languages"), value: languagesFact(model, words) },
    { name: t("facts.errors"), value: model.purpose === "hearing" ? errorsText(model, words) : null },
    { name: t("facts.quality"), value: qualityText(model, words) },
    { name: t("facts.speed"), value: <Speed model={model} /> },
    { name: t("facts.extras"), value: also.length === 0 ? null : also.join("; ") },
    { name: t("facts.download"), value: isBuiltIn ? null : downloadText(model, words) },
    { name: t("facts.address"), value: model.addresses.length === 0 ? null : <Addresses model={model} /> },
    { name: t("facts.disk"), value: model.installed === null ? size(model.diskBytes) : bytes(model.diskBytes, language) },
    { name: t("facts.memory"), value: size(model.memoryBytes) },
    { name: t("facts.licence"), value: licenceText(model, words) },
    { name: t("facts.check"), value: t(`check.${model.check}`) },
    { name: t("facts.added"), value: model.installed === null ? null : addedText(model.installed, words) },
    { name: t("facts.id"), value: <code>{model.id}</code> },
  ];
  return <FactList className={`stack gap-2 measure ${styles.facts}`} facts={facts.filter(({ value }) => value !== null)} />;
}

const downloadText = ({ downloadBytes }: AdminModel, { t, language }: Words): string =>
  downloadBytes === null ? t("facts.unknown") : bytes(downloadBytes, language);

function languagesFact({ languages, languageCount, detects, pair }: AdminModel, words: Words): string | null {
  if (languages.length === 0 || pair !== null) return null;
  const listed = languageList(languages, words);
  const all = languageCount === undefined ? listed : words.t("facts.about", { count: languageCount, languages: listed });
  return detects && languages.length > 1 ? `${all}. ${words.t("facts.detects")}` : all;
}

function addedText({ source, at }: NonNullable<AdminModel["installed"]>, { t, language }: Words): string {
  return t(`source.${source}`, { date: at === null ? "" : date(at, language) });
}

/** The download addresses, for users who fetch the model elsewhere and import it as a file. */
function Addresses({ model: { addresses } }: { model: AdminModel }) {
  return addresses.map((address) => (
    <p key={address}>
      <a href={address} rel="noreferrer">
        {address.replace("https://", "")}
      </a>
    </p>
  ));
}

/** The measured or published speed. */
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
