import { useSelector } from "@xstate/react";
import { type ReactNode, useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { RecorderLanguages } from "#machines/dictation/events.ts";
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
  selectStaysHere,
  selectTargetLanguage,
} from "#machines/dictation/selectors.ts";
import { toast } from "#src/browser/toasts.ts";
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
  languages: RecorderLanguages;
  missing: string | null;
}

/**
 * The record button, which never moves, and the state. Beside it are the choices for the next recording, or the current
 * recording.
 */
export function RecordControls({ recorder, languages, missing, children }: RecordControlsProps & { children: ReactNode }) {
  const { actor, level, elapsed } = recorder;
  const { t } = useTranslation("app");
  const phase = useSelector(actor, selectPhase);
  const underWay = useSelector(actor, selectIsUnderWay);
  const fillsPage = useSelector(actor, selectFillsPage);
  const isMicrophone = useSelector(actor, selectSource) === "microphone";
  // A recording that stays here uses no minutes on the server before it is saved.
  const isAtLimit = useIsAtLimit() && languages.staysHere !== true;
  return (
    <div className={styles.controls}>
      <RecordButton recorder={recorder} languages={languages} missing={missing} phase={phase} isAtLimit={isAtLimit} />
      {fillsPage ? null : children}
      <State actor={actor} phase={phase} missing={missing} isAtLimit={isAtLimit} />
      {underWay ? (
        <p className={`line gap-3 digits ${styles.meters}`}>
          <Clock seconds={elapsed} />
          <LevelMeter level={level} label={isMicrophone ? undefined : t("dictation:source.level")} />
        </p>
      ) : null}
      {underWay || phase === "kept" ? <Languages actor={actor} /> : null}
      {underWay ? <PauseButton actor={actor} /> : null}
      {underWay ? <CaptionsButton recorder={recorder} labelClass={styles.label} /> : null}
    </div>
  );
}

interface StateProps extends Pick<Recorder, "actor">, Pick<RecordControlsProps, "missing"> {
  phase: RecorderPhase;
  isAtLimit: boolean;
}

/** The state of the recorder. The notice `Offline` reports a lost connection. */
function State({ actor, phase, missing, isAtLimit }: StateProps) {
  const { t } = useTranslation("app");
  const isMicrophone = useSelector(actor, selectSource) === "microphone";
  const said = phase === "reconnecting" ? "recording" : phase === "finishingOffline" ? "finishing" : phase;
  const text =
    said === "paused"
      ? t("dictation:paused")
      : said === "requestingMicrophone" && !isMicrophone
        ? t("dictation:source.requesting")
        : t(isAtLimit && said === "idle" ? "usage.reached" : `speech.state.${said}`);
  const isWaiting = said === "idle" || said === "checking";
  return (
    // Sighted users see from the button that it is ready, so only screen readers need the text.
    <p className={isWaiting && missing === null && !isAtLimit ? "visuallyHidden" : styles.state} role="status">
      {said === "idle" && missing !== null && !isAtLimit ? t(missing) : text}
    </p>
  );
}

/** Stays when there is nothing left to pause, so that nothing moves beside it. */
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

/** The languages of the open recording, because the choice itself is hidden. */
function Languages({ actor }: Pick<Recorder, "actor">) {
  const { t, i18n } = useTranslation("app");
  const source = useSelector(actor, selectSourceLanguage);
  const target = useSelector(actor, selectTargetLanguage);
  const recognizedBy = useSelector(actor, selectRecognizedBy);
  const isHere = useSelector(actor, selectStaysHere) || recognizedBy === "device";
  const language = source === "auto" ? t("languages.auto") : languageName(source, i18n.language);
  const by = isHere ? "place.by" : recognizedBy === "browser" ? "browser.by" : null;
  const spoken = by === null ? language : t(`dictation:${by}`, { language });
  return (
    <p className={`size-0 ${styles.spoken}`}>{target === null ? spoken : `${spoken} → ${languageName(target, i18n.language)}`}</p>
  );
}

/**
 * The record button: one element in every state, so that it keeps the focus. It is disabled instead of removed. Only
 * beside the question whether to save a recording it is another element, so that a key press meant for the old
 * recording does not begin a new one.
 */
function RecordButton({ recorder, languages, missing, phase, isAtLimit }: RecordControlsProps & Omit<StateProps, "actor">) {
  const { actor } = recorder;
  const { t } = useTranslation("app");
  const canStart = useSelector(actor, selectCanStart);
  const canStop = useSelector(actor, selectCanStop);
  const canRetry = useSelector(actor, selectCanRetry);
  const isEnding = useSelector(actor, selectIsUnderWay) && !canStop;
  const isAsked = phase === "nothingHeard" || phase === "kept";
  const start = () => {
    if (isAtLimit) toast({ kind: "warning", key: "app:usage.reached" });
    else if (missing !== null) toast({ kind: "warning", key: missing });
    else actor.send({ type: "start.requested", ...languages });
  };
  const record = useEffectEvent(() => (canStart ? start() : undefined));
  // The shortcut waits until it is known whether a recording is running, because the key press that opened this page
  // may be for that recording.
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
      key={canRetry || phase === "kept" ? "another" : "record"}
      round
      className={styles.record}
      look="primary"
      icon="microphone"
      busy={!canStart && !isAsked}
      disabled={isAsked}
      {...(missing === null ? {} : { "aria-disabled": true })}
      {...(isAtLimit ? { "aria-disabled": true, "aria-describedby": limitReasonId } : {})}
      onClick={start}
    >
      {t("speech.start")}
    </Button>
  );
}
