import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectCanUndo, selectIsRestoring, selectPurgeAt, selectTitle } from "../../../machines/deletion.ts";
import { type Deletion, deletions } from "../../app/deletions.ts";
import { timeOfDay } from "../../i18n/format.ts";
import { Button } from "../../ui/button.tsx";
import { focusHeading } from "../../ui/focus.ts";
import { Notice } from "../../ui/notice.tsx";
import styles from "./history.module.css";

/** What was deleted in the last ten minutes, each with its way back. */
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
  const { t, i18n } = useTranslation("app");
  const purgeAt = useSelector(deletion, selectPurgeAt);
  const title = useSelector(deletion, selectTitle) || t("history.untitled");
  const restoring = useSelector(deletion, selectIsRestoring);
  const canUndo = useSelector(deletion, selectCanUndo);
  if (purgeAt === null || !(canUndo || restoring)) return null;
  return (
    <Notice
      icon="trash"
      actions={
        <Button
          icon="undo"
          busy={restoring}
          onClick={() => {
            // The notice goes, and this button with it.
            focusHeading();
            deletion.send({ type: "undo.requested" });
          }}
        >
          {t("history.undo")}
        </Button>
      }
    >
      {t("history.deleted", { title, time: timeOfDay(purgeAt, i18n.language) })}
    </Notice>
  );
}
