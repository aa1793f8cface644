import { useTranslation } from "react-i18next";
import { isReworked, type Progress as JobProgressValue, statusOf, type Transcription } from "#contract/index.ts";
import { percent, roughDuration } from "#src/i18n/format.ts";
import { Progress } from "#src/ui/progress.tsx";

/** The stage and progress of a file's job, and the remaining time at the measured speed. */
export function JobProgress({ progress, title }: { progress: JobProgressValue | null; title: string }) {
  const { t, i18n } = useTranslation("app");
  const stage = progress?.stage ?? "waiting";
  return (
    <div className="stack gap-1">
      <Progress label={t("jobs.progressOf", { title })} fraction={stage === "waiting" ? undefined : progress?.fraction} />
      <p className="facts apart">
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

/** The progress of a transcription's job. A finished transcription can be read and edited meanwhile. */
export function Working({ transcription, title }: { transcription: Transcription; title: string }) {
  const status = statusOf(transcription.status);
  if (status !== "processing" && status !== "pending" && !isReworked(transcription)) return null;
  return <JobProgress progress={transcription.progress} title={title} />;
}
