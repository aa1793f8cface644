import { Link, Navigate } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { EnginesAnswer } from "#contract/index.ts";
import { selectIsMissing, selectLoadError, selectTranscription } from "#machines/transcription/selectors.ts";
import { deletions } from "#src/features/transcriptions/deletions.ts";
import { TrashLink } from "#src/features/transcriptions/list-links.tsx";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { LoadingScreen, MessageScreen } from "#src/ui/screens.tsx";
import type { OpenTranscription } from "./actor.ts";
import type { SharingPanel } from "./drawer.tsx";
import { Transcript } from "./transcript.tsx";

interface TranscriptPageProps {
  open: OpenTranscription;
  /** null when the server could not answer. */
  engines: EnginesAnswer | null;
  sharingPanel: SharingPanel;
}

/**
 * One transcription: text, audio, and all actions. As soon as it is deleted, the dashboard replaces it. It comes back
 * if the user undoes the deletion.
 */
export function TranscriptPage(props: TranscriptPageProps) {
  const deletion = useSyncExternalStore(deletions.subscribe, () => deletions.find(props.open.id));
  return deletion ? <Navigate to="/dashboard" replace /> : <Loaded {...props} />;
}

function Loaded({ open, engines, sharingPanel }: TranscriptPageProps) {
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
    <Transcript open={open} engines={engines} transcription={transcription} sharingPanel={sharingPanel} />
  ) : (
    <LoadingScreen message={t("transcript.loading")} />
  );
}

function ToHistory() {
  const { t } = useTranslation("app");
  return (
    <Link className={buttonClass("primary")} to="/dashboard">
      {t("nav.dashboard")}
    </Link>
  );
}
