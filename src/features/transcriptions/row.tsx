import { Link } from "@tanstack/react-router";
import { type MouseEvent, memo } from "react";
import { useTranslation } from "react-i18next";
import { statusOf, type TranscriptionSummary } from "#contract/index.ts";
import type { OpenFiling } from "#src/features/filing/actor.ts";
import { RowLabels, Star } from "#src/features/filing/row-parts.tsx";
import { UpgradeLink, useFits } from "#src/features/subscription/upgrade-link.tsx";
import { clock, dateTime, languageName } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { JobProgress } from "./job-progress.tsx";
import { type Part, partsOf, passageOf } from "./passage.ts";
import { canRetry, retryKey } from "./problem.ts";
import { useShownTitle } from "./shown-title.ts";
import { Status } from "./status.tsx";
import styles from "./transcriptions.module.css";
import { Why } from "./why.tsx";

interface RowProps {
  filing: OpenFiling;
  item: TranscriptionSummary;
  /** What is searched for: marked where it was found. */
  term: string;
  onDelete(item: TranscriptionSummary): void;
  onRetry(id: string): void;
  onOpen(id: string): void;
}

/** The button disappears with the failure: the row's link takes the focus. */
const focusRow = ({ currentTarget }: MouseEvent) => currentTarget.closest("li")?.querySelector("a")?.focus();

/** Where the search has found its words, the first lines of the text that the title does not have already, or else the error. */
function Snippet({ item, title, term }: Pick<RowProps, "item" | "term"> & { title: string }) {
  const { t } = useTranslation("app");
  const { text, translatedText, sourceLanguage, error } = item;
  const parts = passageOf([text, translatedText], term, title, sourceLanguage);
  if (parts.length === 0 && (error || text !== "")) return null;
  return <p className={styles.snippet}>{parts.length === 0 ? t("history.noText") : <Marked parts={parts} />}</p>;
}

function Marked({ parts }: { parts: readonly Part[] }) {
  let at = 0;
  return parts.map(({ text, isHit }) => {
    const key = at;
    at += text.length;
    return isHit ? <mark key={key}>{text}</mark> : text;
  });
}

/** One transcription of the history. The whole row is a link; the buttons lie above it. */
export const Row = memo(function Row({ filing, item, term, onDelete, onRetry, onOpen }: RowProps) {
  const { t, i18n } = useTranslation("app");
  const title = useShownTitle()(item);
  const status = statusOf(item.status);
  const fits = useFits(item.durationSeconds);
  const working = status === "processing" || status === "pending";
  const { sourceLanguage, targetLanguage } = item;
  const spoken = sourceLanguage === "auto" ? null : languageName(sourceLanguage, i18n.language);
  return (
    <>
      <div className={styles.body}>
        <Link className={styles.title} to="/transcription/$id" params={{ id: item.id }} onClick={() => onOpen(item.id)}>
          <Marked parts={partsOf(title, term)} />
        </Link>
        {working ? (
          <div className={styles.work}>
            <JobProgress progress={item.progress} title={title} />
          </div>
        ) : (
          <Snippet item={item} title={title} term={term} />
        )}
        {item.error ? (
          <p className={styles.problem}>
            <Why transcription={item} code={item.error.code ?? "internal"} />
          </p>
        ) : null}
        <p className={styles.facts}>
          {status === "completed" ? null : <Status status={status} />}
          <time dateTime={item.date}>{dateTime(item.date, i18n.language)}</time>
          {item.durationSeconds === null ? null : <span>{clock(item.durationSeconds)}</span>}
          {item.origin === null ? null : <span>{t(`history.${item.origin}`)}</span>}
          {spoken === null ? null : <span>{spoken}</span>}
          {targetLanguage === null || item.translatedText === "" ? null : (
            <span>{t("transcript.translatedTo", { language: languageName(targetLanguage, i18n.language) })}</span>
          )}
          <RowLabels filing={filing} item={item} />
        </p>
      </div>
      <div className={styles.actions}>
        <UpgradeLink code={item.error?.code ?? null} seconds={item.durationSeconds} look="secondary" />
        {canRetry(item) ? (
          <Button
            icon="retry"
            onClick={(event) => {
              focusRow(event);
              onRetry(item.id);
            }}
          >
            {t(retryKey(item.error?.code, fits))}
          </Button>
        ) : null}
        <Star filing={filing} item={item} title={title} />
        <IconButton icon="trash" label={t("history.delete", { title })} onClick={() => onDelete(item)} />
      </div>
    </>
  );
});
