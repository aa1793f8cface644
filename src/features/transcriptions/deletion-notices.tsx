import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectCanUndo, selectDeleted, selectIsRestoring, selectUndoUntil } from "#machines/transcriptions/deletion.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import { type Deletion, deletions } from "./deletions.ts";
import { useShownTitle } from "./shown-title.ts";
import styles from "./transcriptions.module.css";

/** Deletions of the last ten minutes; those made together are one. Each can be undone, and its notice closed. */
export function Deletions() {
  const list = useSyncExternalStore(deletions.subscribe, deletions.list);
  if (list.length === 0) return null;
  return (
    <div className={styles.notices}>
      {list.map((deletion) => (
        <DeletionNotice key={deletion.sessionId} deletion={deletion} />
      ))}
    </div>
  );
}

function DeletionNotice({ deletion }: { deletion: Deletion }) {
  const { t } = useTranslation("app");
  const shownTitle = useShownTitle();
  const undoUntil = useSelector(deletion, selectUndoUntil);
  const deleted = useSelector(deletion, selectDeleted);
  const [only, ...others] = deleted;
  const restoring = useSelector(deletion, selectIsRestoring);
  const canUndo = useSelector(deletion, selectCanUndo);
  if (undoUntil === null || !(canUndo || restoring)) return null;
  const send = (type: "undo.requested" | "notice.dismissed") => () => {
    // The notice disappears with its buttons.
    focusHeading();
    deletion.send({ type });
  };
  return (
    <Notice
      icon="trash"
      actions={
        <>
          <Button icon="undo" busy={restoring} onClick={send("undo.requested")}>
            {t("history.undo")}
          </Button>
          {restoring ? null : <IconButton icon="close" label={t("history.closeDeleted")} onClick={send("notice.dismissed")} />}
        </>
      }
    >
      {only === undefined || others.length > 0
        ? t("history.deletedMany", { count: deleted.length })
        : t("history.deleted", { title: shownTitle(only) })}
    </Notice>
  );
}
