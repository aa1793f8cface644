import { useSelector } from "@xstate/react";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import {
  type RecorderPhase,
  selectCanPause,
  selectCanRetry,
  selectCanStart,
  selectCanStop,
  selectFillsPage,
  selectIsPaused,
  selectIsUnderWay,
  selectPhase,
  selectRecognizedBy,
  selectSource,
  selectSourceLanguage,
  selectTargetLanguage,
} from "#machines/dictation/selectors.ts";
import { toast } from "#src/browser/toasts.ts";
import type { LanguageChoiceValue } from "#src/features/engines/language-choice.tsx";
import { offerKeys } from "#src/features/shortcuts/actor.ts";
import { limitReasonId, useIsAtLimit } from "#src/features/subscription/usage-meter.tsx";
import { languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { CaptionsButton } from "./captions-window.tsx";
import { Clock, LevelMeter } from "./level-meter.tsx";
import type { Recorder } from "./recorder-actor.ts";
import styles from "./stage.module.css";

interface RecordControlsProps {
  recorder: Recorder;
  languages: LanguageChoiceValue;
  needsConsent: boolean;
}

/**
 * The record button, which never moves. Beside it: the choices for the next recording, or the recording; and the state.
 */
export function RecordControls({ recorder, languages, needsConsent, children }: RecordControlsProps & { children: ReactNode }) {
  const { actor, level, elapsed } = recorder;
  const { t } = useTranslation("app");
  const phase = useSelector(actor, selectPhase);
  const underWay = useSelector(actor, selectIsUnderWay);
  const fillsPage = useSelector(actor, selectFillsPage);
  const isMicrophone = useSelector(actor, selectSource) === "microphone";
  return (
    <div className={styles.controls}>
      <RecordButton recorder={recorder} languages={languages} needsConsent={needsConsent} phase={phase} />
      {fillsPage ? null : children}
      <State actor={actor} phase={phase} needsConsent={needsConsent} />
      {underWay ? (
        <p className={`line gap-3 digits ${styles.meters}`}>
          <Clock seconds={elapsed} />
          <LevelMeter level={level} label={isMicrophone ? undefined : t("dictation:source.level")} />
        </p>
      ) : null}
      {underWay ? <Languages actor={actor} /> : null}
      {underWay ? <PauseButton actor={actor} /> : null}
      {underWay ? <CaptionsButton recorder={recorder} labelClass={styles.label} /> : null}
    </div>
  );
}

/** What the recorder is doing. That the connection is lost is said by a notice of its own (Offline). */
function State({ actor, phase, needsConsent }: Pick<Recorder, "actor"> & { phase: RecorderPhase; needsConsent: boolean }) {
  const { t } = useTranslation("app");
  const isMicrophone = useSelector(actor, selectSource) === "microphone";
  const atLimit = useIsAtLimit();
  const said = phase === "reconnecting" ? "recording" : phase === "finishingOffline" ? "finishing" : phase;
  const text =
    said === "paused"
      ? t("dictation:paused")
      : said === "requestingMicrophone" && !isMicrophone
        ? t("dictation:source.requesting")
        : t(atLimit && said === "idle" ? "usage.reached" : `speech.state.${said}`);
  const isWaiting = said === "idle" || said === "checking";
  return (
    // The button says as much: that it is ready is for those who don't see it.
    <p className={isWaiting && !needsConsent && !atLimit ? "visuallyHidden" : styles.state} role="status">
      {said === "idle" && needsConsent && !atLimit ? t("dictation:browser.agreeFirst") : text}
    </p>
  );
}

/** It stays when there is nothing to pause any more, so that nothing moves beside it. */
function PauseButton({ actor }: Pick<Recorder, "actor">) {
  const { t } = useTranslation("dictation");
  const canPause = useSelector(actor, selectCanPause);
  const isPaused = useSelector(actor, selectIsPaused);
  return (
    <Button
      icon={isPaused ? "microphone" : "pause"}
      aria-disabled={(!canPause && !isPaused) || undefined}
      onClick={() => actor.send({ type: isPaused ? "resume.requested" : "pause.requested" })}
    >
      {t(isPaused ? "resume" : "pause")}
    </Button>
  );
}

/** Of the open recording: the choice itself is folded away. */
function Languages({ actor }: Pick<Recorder, "actor">) {
  const { t, i18n } = useTranslation("app");
  const source = useSelector(actor, selectSourceLanguage);
  const target = useSelector(actor, selectTargetLanguage);
  const isByBrowser = useSelector(actor, selectRecognizedBy) === "browser";
  const language = source === "auto" ? t("languages.auto") : languageName(source, i18n.language);
  const spoken = isByBrowser ? t("dictation:browser.by", { language }) : language;
  return (
    <p className={`size-0 ${styles.spoken}`}>{target === null ? spoken : `${spoken} → ${languageName(target, i18n.language)}`}</p>
  );
}

/**
 * One element in every state, so that it keeps the focus; it is disabled rather than removed. Only beside a question
 * what is to become of a recording it is another one: a key that was meant for the recording begins no other.
 */
function RecordButton({ recorder, languages, needsConsent, phase }: RecordControlsProps & { phase: RecorderPhase }) {
  const { actor } = recorder;
  const { t } = useTranslation("app");
  const canStart = useSelector(actor, selectCanStart);
  const canStop = useSelector(actor, selectCanStop);
  const canRetry = useSelector(actor, selectCanRetry);
  const isEnding = useSelector(actor, selectIsUnderWay) && !canStop;
  const atLimit = useIsAtLimit();
  const start = () => {
    if (atLimit) toast({ kind: "warning", key: "app:usage.reached" });
    else if (needsConsent) toast({ kind: "warning", key: "dictation:browser.agreeFirst" });
    else actor.send({ type: "start.requested", ...languages });
  };
  const record = useEffectEvent(() => (canStart ? start() : undefined));
  // Not before it is known whether something is recorded already: the key that has led here is for that moment.
  const isReady = canStart || canStop;
  useEffect(() => (isReady ? offerKeys({ record: () => record() }) : undefined), [isReady]);
  if (canStop || isEnding) {
    return (
      <Button
        key="record"
        round
        className={styles.record}
        icon="stop"
        busy={isEnding}
        onClick={() => actor.send({ type: "stop.requested" })}
      >
        {t("speech.stop")}
      </Button>
    );
  }
  return (
    <Button
      key={canRetry ? "another" : "record"}
      round
      className={styles.record}
      look="primary"
      icon="microphone"
      busy={!canStart && phase !== "nothingHeard"}
      disabled={phase === "nothingHeard"}
      {...(needsConsent ? { "aria-disabled": true } : {})}
      {...(atLimit ? { "aria-disabled": true, "aria-describedby": limitReasonId } : {})}
      onClick={start}
    >
      {t("speech.start")}
    </Button>
  );
}
