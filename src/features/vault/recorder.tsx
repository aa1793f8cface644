import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import {
  selectIsTroubled,
  selectLeftovers,
  selectMicrophoneWasLost,
  selectRecordingFailure,
  selectRecordingPhase,
} from "#machines/vault/recording.ts";
import { LevelMeter } from "#src/features/dictation/level-meter.tsx";
import { clock, dateTime } from "#src/i18n/format.ts";
import { CheckField } from "#src/ui/area-field.tsx";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { problemKey } from "./problem.ts";
import { RecorderWords } from "./recorder-words.tsx";
import type { VaultRecorder } from "./recording-actor.ts";
import styles from "./vault.module.css";

/** Records into the vault, and offers leftovers of earlier recordings. */
export function Recorder({ recorder }: { recorder: VaultRecorder }) {
  const { t } = useTranslation("vault");
  const { actor } = recorder;
  const phase = useSelector(actor, selectRecordingPhase);
  const failure = useSelector(actor, selectRecordingFailure);
  const lost = useSelector(actor, selectMicrophoneWasLost);
  const troubled = useSelector(actor, selectIsTroubled);
  const capturing = phase === "recording" || phase === "stopping";
  return (
    <section
      className={`card pad-wide stack compact gap-4 ${styles.panel}`}
      aria-labelledby="record-heading"
      data-under-way={capturing || undefined}
    >
      <h2 id="record-heading">{t("recording.title")}</h2>
      <div className={styles.record}>
        <Button
          key="record"
          round
          look={phase === "recording" ? "secondary" : "primary"}
          icon={phase === "recording" ? "stop" : "microphone"}
          busy={phase !== "recording" && phase !== "idle"}
          onClick={() => actor.send({ type: phase === "recording" ? "stop.requested" : "start.requested" })}
        >
          {t(phase === "recording" ? "recording.stop" : "recording.start")}
        </Button>
        <div className={`stack gap-1 soft ${styles.state}`}>
          <p role="status">{t(`recording.state.${phase}`)}</p>
          {capturing ? <Meters recorder={recorder} /> : null}
        </div>
      </div>
      <Text recorder={recorder} isIdle={phase === "idle"} />
      {failure === null ? null : <Notice tone="danger">{t(problemKey(failure))}</Notice>}
      {lost ? <Notice tone="danger">{t("recording.lost")}</Notice> : null}
      {troubled ? <Notice tone="danger">{t("recording.troubled")}</Notice> : null}
      <Leftovers recorder={recorder} />
    </section>
  );
}

/** Chooses whether the next recording gets a text. Shows the requirements, and the words. */
function Text({ recorder, isIdle }: { recorder: VaultRecorder; isIdle: boolean }) {
  const { t } = useTranslation("vault");
  const { wantsText } = recorder;
  const isWanted = useSyncExternalStore(wantsText.subscribe, wantsText.get);
  return (
    <>
      {isIdle ? (
        <CheckField
          label={t("words.choice")}
          hint={t("words.hint")}
          checked={isWanted}
          onChange={({ target }) => wantsText.set(target.checked)}
        />
      ) : null}
      {isWanted ? <RecorderWords recorder={recorder} /> : null}
    </>
  );
}

function Meters({ recorder: { elapsed, level } }: { recorder: VaultRecorder }) {
  const seconds = useSyncExternalStore(elapsed.subscribe, () => Math.floor(elapsed.get()));
  return (
    <p className="line gap-3 digits">
      <span>{clock(seconds)}</span>
      <LevelMeter level={level} />
    </p>
  );
}

function Leftovers({ recorder: { actor } }: { recorder: VaultRecorder }) {
  const { t, i18n } = useTranslation("vault");
  const leftovers = useSelector(actor, selectLeftovers);
  return leftovers.map(({ id, startedAt, durationSeconds }) => (
    <Notice
      key={id}
      actions={
        <>
          <Button look="primary" onClick={() => actor.send({ type: "leftover.saveRequested", id })}>
            {t("leftover.save")}
          </Button>
          <Button icon="trash" onClick={() => actor.send({ type: "leftover.discardRequested", id })}>
            {t("leftover.discard")}
          </Button>
        </>
      }
    >
      <strong>{t("leftover.title")}</strong>
      <p>
        {t("leftover.text", {
          date: dateTime(new Date(startedAt).toISOString(), i18n.language),
          length: clock(durationSeconds),
        })}
      </p>
    </Notice>
  ));
}
