import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { selectStorageTrouble, selectWasUnplugged } from "#machines/dictation/selectors.ts";
import { selectHasLoadFailed, selectIsStuck, selectSendFailure } from "#machines/translator/conversation.ts";
import { selectCanRetry, selectTurnFailure, selectVoiceFailure } from "#machines/translator/selectors.ts";
import { failureKey, isLacking } from "#src/audio/microphone-problem.ts";
import { EarlierNotices, EndedAtLimit } from "#src/features/dictation/dictation-notices.tsx";
import { UploadInstead } from "#src/features/dictation/upload-instead.tsx";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { Translator } from "./actor.ts";
import { useStatus } from "./use-status.ts";

/** Notices and questions. */
export function Notices({ translator }: { translator: Translator }) {
  return (
    <>
      <EarlierNotices recorder={translator.recorder} />
      <TurnNotices translator={translator} />
      <Waiting translator={translator} />
    </>
  );
}

function TurnNotices({ translator }: { translator: Translator }) {
  const { actor, recorder } = translator;
  const { t } = useTranslation("translator");
  const status = useStatus(translator);
  const failure = useSelector(actor, selectTurnFailure);
  const canRetry = useSelector(actor, selectCanRetry);
  const voiceFailure = useSelector(actor, selectVoiceFailure);
  const storageTrouble = useSelector(recorder.actor, selectStorageTrouble);
  const unplugged = useSelector(recorder.actor, selectWasUnplugged);
  return (
    <>
      {failure ? (
        <RetryNotice
          label={t("retry")}
          onRetry={canRetry && (() => actor.send({ type: "retry.requested" }))}
          more={isLacking(failure) ? <UploadInstead /> : null}
        >
          {t(failureKey(failure))}
        </RetryNotice>
      ) : null}
      {status === "nothingHeard" ? (
        <Notice
          announce={false}
          actions={
            <>
              <Button onClick={() => actor.send({ type: "keep.requested" })}>{t("app:speech.keep")}</Button>
              <Button icon="trash" onClick={() => actor.send({ type: "discard.requested" })}>
                {t("app:speech.discard")}
              </Button>
            </>
          }
        >
          {t("nothingHeardHint")}
        </Notice>
      ) : null}
      {voiceFailure ? (
        <Notice tone="danger">
          {t(voiceFailure === "noVoice" || voiceFailure === "notPlayed" ? `voice.${voiceFailure}` : `errors.${voiceFailure}`)}
        </Notice>
      ) : null}
      <EndedAtLimit actor={recorder.actor} />
      {unplugged ? <Notice tone="danger">{t("app:speech.microphone.unplugged")}</Notice> : null}
      {storageTrouble ? <Notice tone="danger">{t("app:speech.storageTrouble")}</Notice> : null}
    </>
  );
}

/** The number of turns that only this browser has so far, and why. */
function Waiting({ translator: { conversation } }: { translator: Translator }) {
  const { t } = useTranslation("translator");
  const { actor, outbox } = conversation;
  const count = useSyncExternalStore(outbox.subscribe, outbox.get);
  const failure = useSelector(actor, selectSendFailure);
  const isStuck = useSelector(actor, selectIsStuck);
  const hasLoadFailed = useSelector(actor, selectHasLoadFailed);
  const retry = () => actor.send({ type: "retry.requested" });
  return (
    <>
      {hasLoadFailed ? (
        <RetryNotice label={t("retry")} onRetry={retry}>
          {t("loadFailed")}
        </RetryNotice>
      ) : null}
      {failure !== null && count > 0 ? (
        <RetryNotice
          label={t("retry")}
          onRetry={retry}
          more={
            isStuck ? (
              <Button icon="trash" onClick={() => actor.send({ type: "discard.requested" })}>
                {t("app:speech.discard")}
              </Button>
            ) : null
          }
        >
          <p>{t("unsaved", { count })}</p>
          <p>{t(`errors.${failure}`)}</p>
        </RetryNotice>
      ) : null}
    </>
  );
}
