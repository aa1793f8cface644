import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { type EnginesAnswer, trashDays } from "#contract/index.ts";
import { selectIsMissing, selectLoadError, selectTranscription } from "#machines/transcription/selectors.ts";
import { selectCanUndo, selectIsRestoring, selectUndoUntil } from "#machines/transcriptions/deletion.ts";
import { type Deletion, deletions } from "#src/features/transcriptions/deletions.ts";
import { TrashLink } from "#src/features/transcriptions/trash-link.tsx";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";
import type { OpenTranscription } from "./actor.ts";
import { Transcript } from "./transcript.tsx";

interface TranscriptPageProps {
  open: OpenTranscription;
  /** null when the server could not answer. */
  engines: EnginesAnswer | null;
}

/** One transcription: text, audio, and all actions. */
export function TranscriptPage(props: TranscriptPageProps) {
  const deletion = useSyncExternalStore(deletions.subscribe, () => deletions.find(props.open.id));
  return deletion ? <Deleted deletion={deletion} /> : <Loaded {...props} />;
}

function Loaded({ open, engines }: TranscriptPageProps) {
  const { t } = useTranslation("app");
  const transcription = useSelector(open.actor, selectTranscription);
  const missing = useSelector(open.actor, selectIsMissing);
  const error = useSelector(open.actor, selectLoadError);
  if (missing) {
    return (
      <MessageScreen
        title={t("transcript.missing")}
        text={t("transcript.missingText")}
        action={
          <>
            <ToHistory />
            <TrashLink />
          </>
        }
      />
    );
  }
  if (error) {
    const retry = () => open.actor.send({ type: "reload.requested" });
    return (
      <MessageScreen
        title={t("transcript.failed")}
        text={t(`errors.${error}`)}
        action={
          <Button look="primary" icon="retry" onClick={retry}>
            {t("transcript.reload")}
          </Button>
        }
      />
    );
  }
  return transcription ? (
    <Transcript open={open} engines={engines} transcription={transcription} />
  ) : (
    <LoadingScreen message={t("transcript.loading")} />
  );
}

function ToHistory({ look = "primary" }: { look?: "primary" | "secondary" }) {
  const { t } = useTranslation("app");
  return (
    <Link className={buttonClass(look)} to="/dashboard">
      {t("nav.dashboard")}
    </Link>
  );
}

/** Shown as long as it is offered to undo the deletion. */
function Deleted({ deletion }: { deletion: Deletion }) {
  const { t } = useTranslation("app");
  const undoUntil = useSelector(deletion, selectUndoUntil);
  const restoring = useSelector(deletion, selectIsRestoring);
  const canUndo = useSelector(deletion, selectCanUndo);
  return (
    <MessageScreen
      title={t("transcript.deleted")}
      text={undoUntil === null ? "" : t("transcript.deletedText", { days: trashDays })}
      action={
        <>
          {canUndo || restoring ? (
            <Button look="primary" icon="undo" busy={restoring} onClick={() => deletion.send({ type: "undo.requested" })}>
              {t("transcript.undo")}
            </Button>
          ) : null}
          <ToHistory look={canUndo || restoring ? "secondary" : "primary"} />
        </>
      }
    />
  );
}
