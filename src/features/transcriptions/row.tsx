import { Link } from "@tanstack/react-router";
import { type MouseEvent, memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { statusOf, type TranscriptionSummary, titleOf } from "#contract/index.ts";
import type { OpenFiling } from "#src/features/filing/actor.ts";
import { RowMenus } from "#src/features/filing/menus.tsx";
import { RowLabels } from "#src/features/filing/row-parts.tsx";
import { UpgradeLink, useFits } from "#src/features/subscription/upgrade-link.tsx";
import { clock, date, dateTime, languageName, timeOfDay } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Menu } from "#src/ui/menu.tsx";
import { JobProgress } from "./job-progress.tsx";
import { type Part, partsOf, passageOf } from "./passage.ts";
import { canRetry, retryKey } from "./problem.ts";
import type { RowTitle } from "./shown-title.ts";
import { Status } from "./status.tsx";
import styles from "./transcriptions.module.css";
import { Why } from "./why.tsx";

interface RowProps extends RowTitle {
  filing: OpenFiling;
  item: TranscriptionSummary;
  /** The title with date and time. */
  whole: string;
  /** Whether a heading above shows the date. */
  isByDay: boolean;
  /** The search term, whose hits are highlighted. */
  term: string;
  onDelete(item: TranscriptionSummary): void;
  onRetry(id: string): void;
  onOpen(id: string): void;
}

/** The button disappears with the failure, so the row's link takes the focus. */
const focusRow = ({ currentTarget }: MouseEvent) => currentTarget.closest("li")?.querySelector("a")?.focus();

function Marked({ parts }: { parts: readonly Part[] }) {
  let at = 0;
  return parts.map(({ text, isHit }) => {
    const key = at;
    at += text.length;
    return isHit ? <mark key={key}>{text}</mark> : text;
  });
}

/** One transcription of the history, in two lines. The whole row is a link; the buttons lie above it. */
export const Row = memo(function Row({ filing, item, words, number, whole, isByDay, term, ...on }: RowProps) {
  const { t } = useTranslation("app");
  const status = statusOf(item.status);
  const fits = useFits(item.durationSeconds);
  const working = status === "processing" || status === "pending";
  return (
    <>
      <div className={`stack gap-1 ${styles.body}`}>
        <Link
          className={`line baseline ${styles.title}`}
          to="/transcription/$id"
          params={{ id: item.id }}
          search={term.trim() === "" ? {} : { find: term.trim() }}
          // The transcript scrolls to the found words by itself.
          resetScroll={term.trim() === ""}
          onClick={() => on.onOpen(item.id)}
        >
          <span className={`size-2 reading cut ${styles.words}`}>
            <Marked parts={partsOf(words, term)} />
          </span>{" "}
          <When iso={item.date} isByDay={isByDay} number={number} />
        </Link>
        {working ? <JobProgress progress={item.progress} title={whole} /> : <Facts filing={filing} item={item} term={term} />}
      </div>
      <div className={styles.actions}>
        <UpgradeLink code={item.error?.code ?? null} seconds={item.durationSeconds} look="secondary" />
        {canRetry(item) ? (
          <Button
            icon="retry"
            onClick={(event) => {
              focusRow(event);
              on.onRetry(item.id);
            }}
          >
            <span className={styles.retry}>{t(retryKey(item.error?.code, fits))}</span>
          </Button>
        ) : null}
        <More filing={filing} item={item} title={whole} onDelete={on.onDelete} />
      </div>
    </>
  );
});

/** The time of day if a heading shows the day; otherwise the date and time. */
function When({ iso, isByDay, number }: { iso: string } & Pick<RowProps, "isByDay" | "number">) {
  const { language } = useTranslation("app").i18n;
  return (
    <time className={`fine digits ${styles.when}`} dateTime={iso}>
      {isByDay ? <span className="visuallyHidden">{date(iso, language)}, </span> : null}
      {isByDay ? timeOfDay(Date.parse(iso), language) : dateTime(iso, language)}
      {number === 1 ? null : ` (${number})`}
    </time>
  );
}

/** Why the file failed, its length and languages, and the text around a search hit or else its beginning. */
function Facts({ filing, item, term }: Pick<RowProps, "filing" | "item" | "term">) {
  const { t, i18n } = useTranslation("app");
  const status = statusOf(item.status);
  const { sourceLanguage, targetLanguage, text, translatedText, error } = item;
  const spoken = sourceLanguage === "auto" ? null : languageName(sourceLanguage, i18n.language);
  const parts = status === "failed" ? [] : passageOf([text, translatedText], term, titleOf(item), sourceLanguage);
  const isEmpty = error === null && text === "";
  return (
    <div className={`facts ${styles.facts}`}>
      {status === "completed" ? null : <Status status={status} />}
      {error ? (
        <p className={`wrong size-0 ${styles.problem}`}>
          <Why transcription={item} code={error.code ?? "internal"} />
        </p>
      ) : null}
      {item.durationSeconds === null ? null : <span>{clock(item.durationSeconds)}</span>}
      <RowLabels filing={filing} item={item} />
      {item.origin === null ? null : <span className={styles.minor}>{t(`history.${item.origin}`)}</span>}
      {spoken === null ? null : <span className={styles.minor}>{spoken}</span>}
      {targetLanguage === null || translatedText === "" ? null : (
        <span className={styles.minor}>
          {t("transcript.translatedTo", { language: languageName(targetLanguage, i18n.language) })}
        </span>
      )}
      {parts.length > 0 || isEmpty ? (
        <p className={`measure soft size-2 reading clamp ${styles.snippet}`}>
          {isEmpty ? t("history.noText") : <Marked parts={parts} />}
        </p>
      ) : null}
    </div>
  );
}

/** The menu of further actions. Rendered when it is first opened. */
function More({ filing, item, title, onDelete }: Pick<RowProps, "filing" | "item" | "onDelete"> & { title: string }) {
  const { t } = useTranslation("app");
  const [isWanted, setIsWanted] = useState(false);
  return (
    <div onClickCapture={() => setIsWanted(true)}>
      <Menu label={t("history.actionsFor", { title })} icon="more" iconOnly="everywhere">
        {isWanted ? <RowMenus filing={filing} item={item} /> : null}
        <Button icon="trash" onClick={() => onDelete(item)}>
          {t("history.delete")}
        </Button>
      </Menu>
    </div>
  );
}
