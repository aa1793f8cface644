import { useTranslation } from "react-i18next";
import { type Stage, stages, type Transcription } from "#contract/index.ts";
import { Icon } from "#src/ui/icon.tsx";
import styles from "./files.module.css";

/** The stages of this transcription, with the current one marked. */
export function Steps({ transcription, completed }: { transcription: Transcription; completed: boolean }) {
  const { t } = useTranslation("uploads");
  const { origin, targetLanguage, diarizes = false } = transcription;
  const isSkipped: Partial<Record<Stage, boolean>> = {
    fetching: origin !== "url",
    diarizing: !diarizes,
    translating: targetLanguage === null,
  };
  const own = stages.filter((stage) => isSkipped[stage] !== true);
  const present: Stage = completed ? "finished" : (transcription.progress?.stage ?? "waiting");
  const at = own.indexOf(present);
  return (
    <ol className={styles.steps} aria-label={t("processing.steps")}>
      {own.map((stage, index) => {
        const done = index < at || completed;
        return (
          <li
            key={stage}
            className={`line soft ${styles.step}`}
            data-state={done ? "done" : index === at ? "present" : "to come"}
            aria-current={index === at && !completed ? "step" : undefined}
          >
            {done ? <Icon name="check" /> : null}
            <span>
              {t(`processing.stage.${stage}`)}
              {done ? <span className="visuallyHidden"> {t("processing.done")}</span> : null}
            </span>
          </li>
        );
      })}
    </ol>
  );
}
