import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { type ReactNode, useCallback, useDeferredValue, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSummary } from "#contract/index.ts";
import { selectSearchTerm } from "#machines/transcriptions/filters.ts";
import { selectSelected } from "#machines/transcriptions/selection.ts";
import {
  selectError,
  selectHasMore,
  selectIsLoading,
  selectIsLoadingMore,
  selectIsNarrowed,
  selectItems,
  selectListedTotal,
  selectSort,
} from "#machines/transcriptions/selectors.ts";
import { FilingMenus } from "#src/features/filing/menus.tsx";
import { perform } from "#src/features/shortcuts/actor.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import type { OpenTranscriptions, Transcriptions } from "./actor.ts";
import { deletions } from "./deletions.ts";
import { type Clearable, ClearFilters, Filters, Summary } from "./filters.tsx";
import library from "./library.module.css";
import { LibraryPage } from "./library-page.tsx";
import { List } from "./list.tsx";
import { SharedLink, TrashLink } from "./list-links.tsx";
import { focusBeside, SelectionBar } from "./selection.tsx";
import styles from "./transcriptions.module.css";
import { unsaved } from "./unsaved.ts";
import { useFound, useFoundOutline } from "./use-found.ts";

interface HistoryProps extends OpenTranscriptions {
  /** Another feature's notice, above the list. */
  notice?: ReactNode;
  /** Another feature's running uploads, at the beginning of the list. They later become rows. */
  underWay?: ReactNode;
  /** Whether there are running uploads. */
  isUnderWay?: boolean;
  /** Another feature's overall progress, in the line above the list. */
  overall?: ReactNode;
  /** Shown in place of an empty list. */
  empty: ReactNode;
}

/** All dictations and files, the newest first. */
export function History({ notice, underWay, isUnderWay = false, overall, empty, ...open }: HistoryProps) {
  const { t } = useTranslation("app");
  const { actor: transcriptions } = open;
  // Running uploads count as rows, so that nothing moves when the first files become transcripts.
  const bare = useIsBare(transcriptions) && !isUnderWay;
  return (
    <LibraryPage
      title={t("nav.dashboard")}
      actions={
        bare ? null : (
          <>
            <Filters {...open} />
            <New />
          </>
        )
      }
      notice={
        <>
          {notice}
          <Unsaved onRetry={() => transcriptions.send({ type: "unsavedRetry.requested" })} />
        </>
      }
      filing={bare ? null : open.filing}
      summary={<Summary {...open}>{overall}</Summary>}
    >
      {bare ? (
        <>
          {underWay}
          {empty}
          <p className="row at-end gap-0">
            <SharedLink />
            <TrashLink />
          </p>
        </>
      ) : (
        <Results {...open} underWay={underWay} />
      )}
    </LibraryPage>
  );
}

/** Whether the history is empty. Then there is no search, and one link. */
function useIsBare(transcriptions: Transcriptions): boolean {
  const loading = useSelector(transcriptions, selectIsLoading);
  const failed = useSelector(transcriptions, selectError) !== null;
  const narrowed = useSelector(transcriptions, selectIsNarrowed);
  return useSelector(transcriptions, selectListedTotal) === 0 && !(loading || failed || narrowed);
}

function New() {
  const { t } = useTranslation("app");
  return (
    <div className={library.new}>
      <Link className={buttonClass("secondary")} to="/file-upload-config" data-icon-only="onPhones">
        <Icon name="upload" />
        <span>{t("history.uploadFiles")}</span>
      </Link>
      <Button look="primary" icon="microphone" onClick={() => perform("record")}>
        {t("history.new")}
      </Button>
    </div>
  );
}

function Results({ underWay, ...open }: OpenTranscriptions & Pick<HistoryProps, "underWay">) {
  const { actor: transcriptions, filters, filedFilters, selection, filing, found: followed } = open;
  const { t } = useTranslation("app");
  const error = useSelector(transcriptions, selectError);
  const found = useFound(followed);
  const term = useDeferredValue(useSelector(filters, selectSearchTerm));
  const onRetry = useCallback((id: string) => transcriptions.send({ type: "retry.requested", id }), [transcriptions]);
  const sort = useSelector(transcriptions, selectSort);
  const onEnd = useCallback(() => followed.send({ type: "more.requested" }), [followed]);
  const onOpen = useCallback((id: string) => transcriptions.send({ type: "selection.changed", id }), [transcriptions]);
  return (
    <>
      {error ? (
        <RetryNotice label={t("history.retry")} onRetry={() => transcriptions.send({ type: "list.requested" })}>
          <strong>{t("toast.fetchFailed")}</strong>
          <p>{t(`errors.${error}`)}</p>
        </RetryNotice>
      ) : null}
      <div className={styles.rows}>
        {underWay}
        {found.length > 0 ? (
          <List
            selection={selection}
            filing={filing}
            items={found}
            term={term}
            sort={sort}
            onDelete={deleteOne}
            onRetry={onRetry}
            onOpen={onOpen}
            onEnd={onEnd}
          />
        ) : (
          <Nothing transcriptions={transcriptions} filters={[filters, filedFilters]} followed={followed} />
        )}
      </div>
      <More transcriptions={transcriptions} />
      <Selected actor={transcriptions} selection={selection} filing={filing} followed={followed} found={found} />
    </>
  );
}

interface SelectedProps extends Pick<OpenTranscriptions, "actor" | "selection" | "filing"> {
  followed: OpenTranscriptions["found"];
  found: readonly TranscriptionSummary[];
}

/** Deletes rows. The pressed button disappears with them, so the focus moves to a row beside them. */
function deleteRows(rows: readonly TranscriptionSummary[]): void {
  focusBeside(rows.map(({ id }) => id));
  deletions.begin(rows);
}

const deleteOne = (row: TranscriptionSummary) => deleteRows([row]);

/** Actions on the selected rows. */
function Selected({ actor: transcriptions, selection, filing, followed, found }: SelectedProps) {
  const { t } = useTranslation("app");
  const total = useSelector(transcriptions, selectListedTotal);
  const narrowed = useSelector(transcriptions, selectIsNarrowed);
  const selected = useSelector(selection, selectSelected);
  const { total: matching, isMore } = useFoundOutline(followed);
  const onAll = () => {
    if (narrowed) followed.send({ type: "all.requested" });
    else transcriptions.send({ type: "all.requested" });
  };
  return (
    <SelectionBar selection={selection} total={narrowed ? matching : total} isMore={narrowed && isMore} onAll={onAll}>
      <FilingMenus filing={filing} rows={found} selected={selected} />
      <Button look="danger" icon="trash" onClick={() => deleteRows(found.filter(({ id }) => selected.has(id)))}>
        {t("selection.delete")}
      </Button>
    </SelectionBar>
  );
}

interface NothingProps {
  transcriptions: Transcriptions;
  filters: Clearable;
  followed: OpenTranscriptions["found"];
}

/** The states "empty", "no results" and "loading". */
function Nothing({ transcriptions, filters, followed }: NothingProps) {
  const { t } = useTranslation("app");
  const { isSearching } = useFoundOutline(followed);
  const loading = useSelector(transcriptions, selectIsLoading) || isSearching;
  const failed = useSelector(transcriptions, selectError) !== null;
  const narrowed = useSelector(transcriptions, selectIsNarrowed);
  if (loading) return <LoadingScreen message={t("loading")} />;
  // The loaded rows may all be unreadable files, while others are still to be fetched.
  if (failed || !narrowed) return null;
  return (
    <div className={`stack starts ${styles.empty}`}>
      <h2 className="size-4">{t("history.noneFound")}</h2>
      <p>{t("history.noneFoundText")}</p>
      <ClearFilters look="secondary" filters={filters} />
    </div>
  );
}

function More({ transcriptions }: { transcriptions: Transcriptions }) {
  const { t } = useTranslation("app");
  const more = useSelector(transcriptions, selectHasMore);
  const narrowed = useSelector(transcriptions, selectIsNarrowed);
  const loading = useSelector(transcriptions, selectIsLoadingMore);
  const none = useSelector(transcriptions, selectItems).length === 0;
  if (!more || narrowed || none) return null;
  return (
    <div className={styles.more}>
      <Button busy={loading} onClick={() => transcriptions.send({ type: "more.requested" })}>
        {t("history.more")}
      </Button>
    </div>
  );
}

/** Dictations that only this browser has so far. */
function Unsaved({ onRetry }: { onRetry(): void }) {
  const { t } = useTranslation("app");
  const waiting = useSyncExternalStore(unsaved.subscribe, unsaved.list);
  if (waiting.length === 0) return null;
  return (
    <RetryNotice label={t("speech.unsavedRetry")} onRetry={onRetry}>
      {t("speech.unsaved", { count: waiting.length })}
    </RetryNotice>
  );
}
