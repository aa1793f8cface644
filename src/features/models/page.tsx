import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { ModelsAnswer } from "#contract/index.ts";
import { needsOf } from "#machines/models/needs.ts";
import { isOurs } from "#machines/models/rules.ts";
import {
  selectAnswer,
  selectAskedRemoval,
  selectLoadError,
  selectNews,
  selectPollError,
  selectTarget,
} from "#machines/models/selectors.ts";
import { bytes } from "#src/i18n/format.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { PageIntro } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { ModelManager, Models } from "./actor.ts";
import { Catalogue } from "./catalogue.tsx";
import { ChoicesGroup } from "./choices.tsx";
import { Files } from "./files.tsx";
import { Group } from "./group.tsx";
import { ModelItem } from "./model-item.tsx";
import styles from "./models.module.css";
import { NeedsGroup } from "./needs.tsx";
import { modelName, wordsOf } from "./words.ts";

/** The model manager: needed, installed and available models. */
export function ModelsPage({ manager }: { manager: ModelManager }) {
  const { t } = wordsOf(useTranslation("models"));
  const { models } = manager;
  const answer = useSelector(models, selectAnswer);
  return (
    <>
      <PageIntro lead={t("lead")} />
      <Trouble models={models} />
      {answer === null ? null : (
        <>
          <NeedsGroup models={models} answer={answer} />
          <Machine answer={answer} />
          <Ours models={models} answer={answer} />
          <ChoicesGroup manager={manager} answer={answer} />
          <Catalogue models={models} answer={answer} />
          <Files own={manager.import} />
        </>
      )}
      <News models={models} />
      <Question models={models} />
    </>
  );
}

/** Says that the list is loading, failed to load, or is outdated. */
function Trouble({ models }: { models: Models }) {
  const { t } = wordsOf(useTranslation("models"));
  const answer = useSelector(models, selectAnswer);
  const loadError = useSelector(models, selectLoadError);
  const pollError = useSelector(models, selectPollError);
  const error = loadError ?? pollError;
  if (error === null) {
    return (
      <p className={answer === null ? "note" : "visuallyHidden"} role="status">
        {answer === null ? t("loading") : ""}
      </p>
    );
  }
  return (
    <RetryNotice label={t("retry")} onRetry={error !== "notOffered" && (() => models.send({ type: "retry.requested" }))}>
      <strong>{t(loadError === null ? "stale" : "failed")}</strong>
      <p>{t(`errors.${error}`)}</p>
    </RetryNotice>
  );
}

function Machine({ answer: { machine, mirror } }: { answer: ModelsAnswer }) {
  const { t, language } = wordsOf(useTranslation("models"));
  const size = (count: number) => bytes(count, language);
  return (
    <section className={`stack gap-1 note ${styles.machine}`} aria-label={t("machine.title")}>
      <ul className={styles.inline}>
        <li>
          <strong>{t("machine.title")}</strong>
        </li>
        <li>{t("machine.cores", { count: machine.cores })}</li>
        <li>{t("machine.memory", { size: size(machine.memoryBytes), free: size(machine.freeMemoryBytes) })}</li>
        <li>{t("machine.disk", { free: size(machine.freeDiskBytes) })}</li>
      </ul>
      {mirror === null ? null : <p>{t("machine.mirror", { host: mirror })}</p>}
    </section>
  );
}

/** Announces the outcome of an installation, for users who don't see its progress. */
function News({ models }: { models: Models }) {
  const words = wordsOf(useTranslation("models"));
  const news = useSelector(models, selectNews);
  const answer = useSelector(models, selectAnswer);
  const nameOf = (id: string) => {
    const model = answer?.models.find((one) => one.id === id);
    return model === undefined ? id : modelName(model, words);
  };
  return (
    <p className="visuallyHidden" role="status">
      {news.map(({ id, state }) => words.t(`news.${state}`, { name: nameOf(id) })).join(" ")}
    </p>
  );
}

function Question({ models }: { models: Models }) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const model = useSelector(models, selectAskedRemoval);
  if (model === null) return null;
  const size = bytes(model.diskBytes, language);
  return (
    <ConfirmDialog
      title={t("question.title", { name: modelName(model, words) })}
      text={t(model.installed?.source === "byHand" ? "question.byHand" : "question.text", { size })}
      confirmLabel={t("action.remove")}
      cancelLabel={t("question.keep")}
      onConfirm={() => models.send({ type: "command.confirmed" })}
      onCancel={() => models.send({ type: "command.dismissed" })}
    />
  );
}

/**
 * Installed models, and those whose installation is running or failed. Models that need attention come first. A model
 * that serves a need shows its progress there.
 */
function Ours({ models, answer }: { models: Models; answer: ModelsAnswer }) {
  const words = wordsOf(useTranslation("models"));
  const { t, language } = words;
  const target = useSelector(models, selectTarget);
  const above = new Set(needsOf(answer.models, target).flatMap((need) => need.models));
  const ours = answer.models
    .filter((model) => isOurs(model) && (model.installed !== null || !above.has(model)))
    .toSorted(
      (a, b) =>
        Number(a.installed !== null) - Number(b.installed !== null) ||
        modelName(a, words).localeCompare(modelName(b, words), language),
    );
  return (
    <Group id="ours" title={t("ours.title")} lead={t("ours.lead")}>
      <ul className={styles.items}>
        {ours.map((model) => (
          <li key={model.id}>
            <ModelItem models={models} model={model} machine={answer.machine} place="ours" />
          </li>
        ))}
      </ul>
    </Group>
  );
}
