import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { statusOf, type Transcription } from "#contract/index.ts";
import { selectIsRefused, selectSaveError } from "#machines/transcription/selectors.ts";
import { UpgradeLink, useFits } from "#src/features/subscription/upgrade-link.tsx";
import { canRetry, retryKey } from "#src/features/transcriptions/problem.ts";
import { Why } from "#src/features/transcriptions/why.tsx";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { OpenTranscription } from "./actor.ts";

type Actor = OpenTranscription["actor"];

/** Problems and their solutions: a failed job, a warning, or unsaved edits. */
export function Trouble({ actor, transcription }: { actor: Actor; transcription: Transcription }) {
  const { t } = useTranslation("app");
  const { error } = transcription;
  const failed = statusOf(transcription.status) === "failed";
  const fits = useFits(transcription.durationSeconds);
  const again = canRetry(transcription) || error?.code === "translationFailed";
  return (
    <>
      <Unsaved actor={actor} />
      {error ? (
        <Notice
          tone={failed ? "danger" : "plain"}
          icon="warning"
          actions={
            <>
              <UpgradeLink code={error.code ?? null} seconds={transcription.durationSeconds} />
              {again ? (
                <Button icon="retry" onClick={() => actor.send({ type: "retry.requested" })}>
                  {t(retryKey(error.code, fits))}
                </Button>
              ) : null}
            </>
          }
        >
          <Why transcription={transcription} code={error.code ?? "internal"} />
        </Notice>
      ) : null}
    </>
  );
}

/** Edits that could not be saved. The user can edit rejected ones again, or discard them. */
function Unsaved({ actor }: { actor: Actor }) {
  const { t } = useTranslation("app");
  const code = useSelector(actor, selectSaveError);
  const refused = useSelector(actor, selectIsRefused);
  if (code === null) return null;
  return (
    <RetryNotice
      label={t("transcript.saveAgain")}
      onRetry={() => actor.send({ type: "save.requested" })}
      more={
        refused ? (
          <Button icon="trash" look="quiet" onClick={() => actor.send({ type: "discard.requested" })}>
            {t("transcript.discard")}
          </Button>
        ) : null
      }
    >
      <p>{t(refused ? "transcript.refusedEdits" : "transcript.unsavedEdits")}</p>
      <p>{t(`errors.${code}`)}</p>
    </RetryNotice>
  );
}
