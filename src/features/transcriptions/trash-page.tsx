import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { type TrashItem, trashDays } from "#contract/index.ts";
import { selectSelected } from "#machines/transcriptions/selection.ts";
import {
  selectConfirming,
  selectError,
  selectHasMore,
  selectIsChanging,
  selectIsListed,
  selectIsLoading,
  selectIsLoadingMore,
  selectItems,
  selectTotal,
} from "#machines/transcriptions/trash.ts";
import type { OpenFiling } from "#src/features/filing/actor.ts";
import { clock, date } from "#src/i18n/format.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import { LibraryPage } from "./library-page.tsx";
import { SelectionBar, SelectRow, selectByKey } from "./selection.tsx";
import { useShownTitle } from "./shown-title.ts";
import styles from "./transcriptions.module.css";
import type { OpenTrash, Trash } from "./trash-actor.ts";

/** The trash: transcripts deleted in the last thirty days, to restore or erase. */
export function TrashPage({ filing, ...open }: OpenTrash & { filing: OpenFiling }) {
  const { t } = useTranslation("app");
  const { actor: trash } = open;
  const total = useSelector(trash, selectTotal);
  const listed = useSelector(trash, selectIsListed);
  const loading = useSelector(trash, selectIsLoading);
  const error = useSelector(trash, selectError);
  const items = useSelector(trash, selectItems);
  return (
    <LibraryPage
      title={t("trash.title")}
      actions={
        listed && total > 0 ? (
          <Button icon="trash" onClick={() => trash.send({ type: "emptying.requested" })}>
            {t("trash.emptyIt")}
          </Button>
        ) : null
      }
      filing={filing}
      lead={t("trash.lead", { days: trashDays })}
      summary={items.length > 0 ? <span role="status">{t("trash.count", { count: total })}</span> : null}
    >
      {error === null ? null : (
        <RetryNotice
          label={t("history.retry")}
          onRetry={error !== "notOffered" && (() => trash.send({ type: "list.requested" }))}
        >
          {t(`errors.${error}`)}
        </RetryNotice>
      )}
      {items.length > 0 ? <Items {...open} items={items} /> : null}
      {loading && items.length === 0 ? <LoadingScreen message={t("loading")} /> : null}
      {listed && items.length === 0 ? <h2 className="size-2">{t("trash.empty")}</h2> : null}
      <Confirming trash={trash} />
    </LibraryPage>
  );
}

function Items({ actor: trash, selection, items }: OpenTrash & { items: readonly TrashItem[] }) {
  const { t } = useTranslation("app");
  const more = useSelector(trash, selectHasMore);
  const loadingMore = useSelector(trash, selectIsLoadingMore);
  const changing = useSelector(trash, selectIsChanging);
  const selected = useSelector(selection, selectSelected);
  const shownTitle = useShownTitle();
  const ids = items.map(({ id }) => id);
  const wanted = ids.filter((id) => selected.has(id));
  return (
    <>
      <ul
        className={styles.plainList}
        aria-label={t("trash.listLabel")}
        aria-busy={changing || undefined}
        onKeyDown={(event) => selectByKey(selection, ids, event)}
      >
        {items.map((item) => (
          <li key={item.id} className={styles.trashRow} data-row={item.id}>
            <SelectRow selection={selection} id={item.id} title={shownTitle(item)} ids={() => ids} />
            <Item trash={trash} item={item} />
          </li>
        ))}
      </ul>
      {more ? (
        <div className={styles.more}>
          <Button busy={loadingMore} onClick={() => trash.send({ type: "more.requested" })}>
            {t("history.more")}
          </Button>
        </div>
      ) : null}
      <SelectionBar selection={selection} total={ids.length} onAll={() => selection.send({ type: "all.requested", ids })}>
        <Button
          icon="undo"
          busy={changing}
          onClick={() => {
            focusHeading();
            trash.send({ type: "restoring.requested", ids: wanted });
          }}
        >
          {t("trash.restore")}
        </Button>
        <Button look="danger" icon="trash" busy={changing} onClick={() => trash.send({ type: "erasure.requested", ids: wanted })}>
          {t("trash.erase")}
        </Button>
      </SelectionBar>
    </>
  );
}

function Item({ trash, item }: { trash: Trash; item: TrashItem }) {
  const { t, i18n } = useTranslation("app");
  const title = useShownTitle()(item);
  return (
    <>
      <div className={`stack gap-1 ${styles.body}`}>
        <h2 className={`size-2 cut ${styles.trashTitle}`}>{title}</h2>
        {item.text === "" ? null : <p className={`measure soft size-2 reading clamp ${styles.snippet}`}>{item.text}</p>}
        <p className={`facts ${styles.facts}`}>
          <span className={styles.deletedOn}>{t("trash.deletedOn", { date: date(item.deletedAt, i18n.language) })}</span>
          <span>{t("trash.erasedOn", { date: date(item.purgeAt, i18n.language) })}</span>
          {item.durationSeconds === null ? null : <span>{clock(item.durationSeconds)}</span>}
        </p>
      </div>
      <div className={styles.actions}>
        <IconButton
          icon="undo"
          label={t("trash.restoreOne", { title })}
          onClick={() => {
            // The row disappears with the button.
            focusHeading();
            trash.send({ type: "restoring.requested", ids: [item.id] });
          }}
        />
        <IconButton
          icon="trash"
          label={t("trash.eraseOne", { title })}
          onClick={() => trash.send({ type: "erasure.requested", ids: [item.id] })}
        />
      </div>
    </>
  );
}

/** Asks for confirmation before anything is erased. */
function Confirming({ trash }: { trash: Trash }) {
  const { t } = useTranslation("app");
  const wish = useSelector(trash, selectConfirming);
  const total = useSelector(trash, selectTotal);
  if (wish === null) return null;
  const isAll = wish.type === "empty";
  const count = isAll ? total : wish.ids.length;
  return (
    <ConfirmDialog
      title={isAll ? t("trash.sureToEmpty") : t("trash.sureToErase", { count })}
      text={t("trash.sureText", { count })}
      confirmLabel={isAll ? t("trash.emptyIt") : t("trash.erase")}
      cancelLabel={t("trash.cancel")}
      onCancel={() => trash.send({ type: "erasure.cancelled" })}
      onConfirm={() => {
        focusHeading();
        trash.send({ type: "erasure.confirmed" });
      }}
    />
  );
}
