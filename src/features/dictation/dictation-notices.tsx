import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { silentSeconds } from "#machines/dictation/rules.ts";
import {
  selectCanRetry,
  selectCanStart,
  selectEndedAtLimit,
  selectEndedInSilence,
  selectFailure,
  selectHasDisplayEnded,
  selectIsCapturing,
  selectIsDiscardAsked,
  selectIsOffline,
  selectIsSaveFailed,
  selectIsSilent,
  selectLeftovers,
  selectPhase,
  selectRecognitionProblem,
  selectSource,
  selectStaysHere,
  selectStorageTrouble,
  selectWasUnplugged,
} from "#machines/dictation/selectors.ts";
import { isDisplayProblem } from "#src/audio/display-sound.ts";
import { failureKey, isLacking } from "#src/audio/microphone-problem.ts";
import { isAway, watchAway } from "#src/browser/network.ts";
import { UpgradeLink } from "#src/features/subscription/upgrade-link.tsx";
import { clock, dateTime } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import type { Recorder } from "./recorder-actor.ts";
import { UploadInstead } from "./upload-instead.tsx";
import { Becomes } from "./waiting-recordings.tsx";

/** Leftovers of earlier visits: recordings to finish, and texts to save. */
export function EarlierNotices({ recorder: { actor, unsaved } }: { recorder: Recorder }) {
  const { t, i18n } = useTranslation("app");
  const leftovers = useSelector(actor, selectLeftovers);
  const canStart = useSelector(actor, selectCanStart);
  const waiting = useSyncExternalStore(unsaved.subscribe, unsaved.get);
  const away = useSyncExternalStore(watchAway, isAway);
  return (
    <>
      {leftovers.map(({ id, startedAt, durationSeconds, overLimit, staysHere, waits }) => {
        const facts = { date: dateTime(new Date(startedAt).toISOString(), i18n.language), duration: clock(durationSeconds) };
        return (
          <Notice
            key={id}
            actions={
              <>
                {waits === undefined || !away ? (
                  <Button look="primary" onClick={() => actor.send({ type: "leftover.resumeRequested", id })}>
                    {t(staysHere ? "dictation:place.open" : "speech.leftoverResume")}
                  </Button>
                ) : null}
                <Button
                  icon="trash"
                  onClick={() => {
                    focusHeading();
                    actor.send({ type: "leftover.discardRequested", id });
                  }}
                >
                  {t("speech.leftoverDiscard")}
                </Button>
              </>
            }
          >
            <strong>
              {staysHere ? t("dictation:place.leftoverTitle") : null}
              {waits ? t("dictation:waiting.title", { count: 1 }) : null}
              {staysHere || waits ? null : t("speech.leftoverTitle", { count: 1 })}
            </strong>
            <p>{waits ? <Becomes recording={{ startedAt, durationSeconds, ...waits }} /> : t("speech.leftover", facts)}</p>
            {staysHere ? <p>{t("dictation:place.leftover")}</p> : null}
            {overLimit ? <p>{t("speech.leftoverOverLimit")}</p> : null}
          </Notice>
        );
      })}
      {canStart && waiting > 0 ? (
        <Notice
          actions={<Button onClick={() => actor.send({ type: "unsaved.saveRequested" })}>{t("speech.unsavedRetry")}</Button>}
        >
          {t("speech.unsaved", { count: waiting })}
        </Notice>
      ) : null}
    </>
  );
}

/** Notices and questions about the open recording. */
export function RecordingNotices({ recorder: { actor, elapsed } }: { recorder: Recorder }) {
  const { t } = useTranslation("app");
  const phase = useSelector(actor, selectPhase);
  const failure = useSelector(actor, selectFailure);
  const canRetry = useSelector(actor, selectCanRetry);
  const saveFailed = useSelector(actor, selectIsSaveFailed);
  const storageTrouble = useSelector(actor, selectStorageTrouble);
  const unplugged = useSelector(actor, selectWasUnplugged);
  const problem = useSelector(actor, selectRecognitionProblem);
  const textOf = (code: string) => {
    if (code === "noConsent") return t("dictation:browser.agreeFirst");
    return t(isDisplayProblem(code) ? `dictation:source.problem.${code}` : failureKey(code));
  };
  return (
    <>
      {failure ? (
        <Notice
          tone="danger"
          actions={
            <>
              <UpgradeLink code={failure} />
              {isLacking(failure) ? <UploadInstead /> : null}
              {canRetry ? (
                <Button ref={claimFocus} icon="retry" onClick={() => actor.send({ type: "retry.requested" })}>
                  {t("speech.retry")}
                </Button>
              ) : null}
            </>
          }
        >
          {saveFailed ? <strong>{t("toast.saveFailed")}</strong> : null}
          <p>{textOf(failure)}</p>
          {failure === "limitReached" ? <p>{t("speech.limitKept")}</p> : null}
        </Notice>
      ) : null}
      <Offline actor={actor} elapsed={elapsed} />
      <EndedAtLimit actor={actor} />
      {problem ? <Notice tone={problem === "noSpeech" ? "plain" : "danger"}>{t(`dictation:problem.${problem}`)}</Notice> : null}
      <DisplaySound actor={actor} />
      {unplugged ? <Notice tone="danger">{t("speech.microphone.unplugged")}</Notice> : null}
      {storageTrouble ? <Notice tone="danger">{t("speech.storageTrouble")}</Notice> : null}
      {phase === "nothingHeard" ? <NoSpeechNotice actor={actor} /> : null}
      {phase === "kept" ? <Kept actor={actor} /> : null}
    </>
  );
}

/** Says that the shared sound has been silent for long, or that sharing has ended. */
function DisplaySound({ actor }: Pick<Recorder, "actor">) {
  const { t } = useTranslation("dictation");
  const isSilent = useSelector(actor, selectIsSilent);
  const hasEnded = useSelector(actor, selectHasDisplayEnded);
  if (isSilent) return <Notice tone="warning">{t("source.silent", { count: silentSeconds })}</Notice>;
  return hasEnded ? <Notice>{t("source.ended")}</Notice> : null;
}

/** Tells the user that the limit ended the recording. The usage meter explains the limit itself. */
export function EndedAtLimit({ actor }: Pick<Recorder, "actor">) {
  const { t } = useTranslation("app");
  const inSilence = useSelector(actor, selectEndedInSilence);
  if (!useSelector(actor, selectEndedAtLimit)) return null;
  return <Notice tone="danger">{t(inSilence ? "speech.silenceStopped" : "speech.limitStopped")}</Notice>;
}

/** Says that nothing is lost without a network, and shows how much audio is kept. */
function Offline({ actor, elapsed }: Pick<Recorder, "actor" | "elapsed">) {
  const { t } = useTranslation("app");
  const isOffline = useSelector(actor, selectIsOffline);
  const isCapturing = useSelector(actor, selectIsCapturing);
  const seconds = useSyncExternalStore(elapsed.subscribe, () => Math.floor(elapsed.get()));
  if (!isOffline) return null;
  return (
    <Notice tone="warning">
      <p>{t(isCapturing ? "speech.state.reconnecting" : "speech.state.finishingOffline")}</p>
      {/* The notice is announced once; the time changes every second and must not be. */}
      <p aria-live="off">{t("dictation:keptSoFar", { time: clock(seconds) })}</p>
    </Notice>
  );
}

/** The recording has its words, and nothing has left this device. The user decides whether to save it. */
function Kept({ actor }: Pick<Recorder, "actor">) {
  const { t } = useTranslation("dictation");
  const isDiscardAsked = useSelector(actor, selectIsDiscardAsked);
  return (
    <>
      <Notice
        announce={false}
        actions={
          <>
            <Button
              ref={claimFocus}
              look="primary"
              // Ignores a key that has been held down since Stop.
              onKeyDown={(event) => event.repeat && event.preventDefault()}
              onClick={() => actor.send({ type: "save.requested" })}
            >
              {t("place.save")}
            </Button>
            <Button icon="trash" onClick={() => actor.send({ type: "discard.requested" })}>
              {t("place.discard")}
            </Button>
          </>
        }
      >
        {t("place.kept")}
      </Notice>
      {isDiscardAsked ? (
        <ConfirmDialog
          title={t("place.discardTitle")}
          text={t("place.discardText")}
          confirmLabel={t("place.discard")}
          cancelLabel={t("place.discardNot")}
          onConfirm={() => {
            focusHeading();
            actor.send({ type: "discard.confirmed" });
          }}
          onCancel={() => actor.send({ type: "discard.dismissed" })}
        />
      ) : null}
    </>
  );
}

function NoSpeechNotice({ actor }: Pick<Recorder, "actor">) {
  const { t } = useTranslation("app");
  const source = useSelector(actor, selectSource);
  const staysHere = useSelector(actor, selectStaysHere);
  return (
    <Notice
      announce={false}
      actions={
        <>
          <Button onClick={() => actor.send({ type: "keep.requested" })}>{t("speech.keep")}</Button>
          <Button
            icon="trash"
            onClick={() => {
              focusHeading();
              actor.send({ type: "discard.requested" });
            }}
          >
            {t("speech.discard")}
          </Button>
        </>
      }
    >
      {t(
        staysHere
          ? "dictation:place.nothingHeard"
          : source === "microphone"
            ? "speech.nothingHeardHint"
            : "dictation:source.nothingHeardHint",
      )}
    </Notice>
  );
}
