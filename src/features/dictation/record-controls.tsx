import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import {
  type RecorderPhase,
  selectCanStart,
  selectCanStop,
  selectIsCapturing,
  selectPhase,
  selectSavedId,
} from "#machines/dictation/selectors.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { toast } from "#src/browser/toasts.ts";
import type { LanguageChoiceValue } from "#src/features/engines/language-choice.tsx";
import { limitReasonId, useIsAtLimit } from "#src/features/subscription/usage-meter.tsx";
import styles from "#src/features/uploads/speech-to-text.module.css";
import { clock } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { LevelMeter } from "./level-meter.tsx";
import own from "./record-controls.module.css";
import type { Recorder } from "./recorder-actor.ts";

interface RecordControlsProps {
  recorder: Recorder;
  languages: LanguageChoiceValue;
  needsConsent: boolean;
}

/** The record button and the recorder's state. */
export function RecordControls({ recorder, languages, needsConsent }: RecordControlsProps) {
  const { actor, level, elapsed } = recorder;
  const { t } = useTranslation("app");
  const phase = useSelector(actor, selectPhase);
  const savedId = useSelector(actor, selectSavedId);
  const capturing = useSelector(actor, selectIsCapturing);
  const atLimit = useIsAtLimit();
  return (
    <div className={styles.controls}>
      <RecordButton recorder={recorder} languages={languages} needsConsent={needsConsent} phase={phase} />
      <div className={styles.state}>
        <p role="status">
          {phase === "idle" && needsConsent && !atLimit
            ? t("dictation:browser.agreeFirst")
            : t(atLimit && phase === "idle" ? "usage.reached" : `speech.state.${phase}`)}
        </p>
        {capturing ? (
          <p className={`${styles.clock} ${own.meters}`}>
            <Clock seconds={elapsed} />
            <LevelMeter level={level} />
          </p>
        ) : null}
      </div>
      {phase === "saved" && savedId !== null ? (
        <Link className={buttonClass("secondary")} to="/transcription/$id" params={{ id: savedId }}>
          {t("speech.open")}
        </Link>
      ) : null}
    </div>
  );
}

/** One element in every state, so that it keeps the focus; it is disabled rather than removed. */
function RecordButton({ recorder, languages, needsConsent, phase }: RecordControlsProps & { phase: RecorderPhase }) {
  const { actor } = recorder;
  const { t } = useTranslation("app");
  const canStart = useSelector(actor, selectCanStart);
  const canStop = useSelector(actor, selectCanStop);
  const atLimit = useIsAtLimit();
  if (canStop) {
    return (
      <Button key="record" className={styles.record} icon="stop" onClick={() => actor.send({ type: "stop.requested" })}>
        {t("speech.stop")}
      </Button>
    );
  }
  return (
    <Button
      key="record"
      className={styles.record}
      look="primary"
      icon="microphone"
      busy={!canStart && phase !== "nothingHeard"}
      disabled={phase === "nothingHeard"}
      {...(needsConsent ? { "aria-disabled": true } : {})}
      {...(atLimit ? { "aria-disabled": true, "aria-describedby": limitReasonId } : {})}
      onClick={() => {
        if (atLimit) toast({ kind: "warning", key: "app:usage.reached" });
        else if (needsConsent) toast({ kind: "warning", key: "dictation:browser.agreeFirst" });
        else actor.send({ type: "start.requested", ...languages });
      }}
    >
      {t(phase === "saved" ? "speech.again" : "speech.start")}
    </Button>
  );
}

function Clock({ seconds }: { seconds: ReadableStore<number> }) {
  const whole = useSyncExternalStore(seconds.subscribe, () => Math.floor(seconds.get()));
  return <span>{clock(whole)}</span>;
}
