import { useTranslation } from "react-i18next";
import type { Progress as JobProgressValue } from "#contract/index.ts";
import { percent, roughDuration } from "#src/i18n/format.ts";
import { Progress } from "#src/ui/progress.tsx";
import styles from "./job-progress.module.css";

/** The stage of a file's job, its progress, and the remaining time at the measured speed. */
export function JobProgress({ progress, title }: { progress: JobProgressValue | null; title: string }) {
  const { t, i18n } = useTranslation("app");
  const stage = progress?.stage ?? "waiting";
  return (
    <div className={styles.progress}>
      <Progress label={t("jobs.progressOf", { title })} fraction={stage === "waiting" ? undefined : progress?.fraction} />
      <p className={styles.line}>
        <span>{t(`jobs.stage.${stage}`)}</span>
        <span>
          {progress && stage !== "waiting" ? percent(progress.fraction, i18n.language) : ""}
          {progress?.secondsLeft != null
            ? ` · ${t("jobs.left", { time: roughDuration(progress.secondsLeft, i18n.language) })}`
            : ""}
        </span>
      </p>
    </div>
  );
}
