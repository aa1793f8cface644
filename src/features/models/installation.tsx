import { useTranslation } from "react-i18next";
import type { AdminModel, Installation } from "#contract/index.ts";
import { bytes, percent, roughDuration } from "#src/i18n/format.ts";
import { Notice } from "#src/ui/notice.tsx";
import { Progress } from "#src/ui/progress.tsx";
import styles from "./models.module.css";
import { modelName, type Words, wordsOf } from "./words.ts";

/** The progress of an installation, or why it failed. Renders nothing once it is finished. */
export function InstallationView({ model }: { model: AdminModel }) {
  const words = wordsOf(useTranslation("models"));
  const { installation } = model;
  if (installation === null || ["installed", "cancelled"].includes(installation.state)) return null;
  if (installation.state === "failed") return <Failed installation={installation} />;
  const { state, bytesDone, bytesTotal } = installation;
  const fraction =
    bytesTotal === null || bytesTotal === 0 || state === "trying" ? undefined : Math.min(1, bytesDone / bytesTotal);
  const texts = progressTexts(installation, words);
  const isStill = state === "waiting" || state === "paused";
  return (
    <div className="stack gap-2">
      <Progress
        label={words.t("progress.of", { name: modelName(model, words) })}
        fraction={isStill ? (fraction ?? 0) : fraction}
        text={[...(fraction === undefined ? [] : [percent(fraction, words.language)]), ...texts].join(", ")}
      />
      <ul className={styles.inline}>
        {texts.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

function progressTexts(installation: Installation, { t, language }: Words): string[] {
  const { state, bytesDone, bytesTotal, bytesPerSecond, secondsLeft, isRetrying = false, host } = installation;
  const size = (count: number) => bytes(count, language);
  const isRunning = state === "downloading" && !isRetrying;
  const received = state === "downloading" || state === "paused" || (state === "waiting" && bytesDone > 0);
  return [
    t(`state.${state}`),
    ...(received && bytesTotal !== null ? [t("progress.bytes", { done: size(bytesDone), total: size(bytesTotal) })] : []),
    ...(isRetrying ? [t("progress.retrying")] : []),
    ...(isRunning && bytesPerSecond !== null ? [t("progress.perSecond", { size: size(bytesPerSecond) })] : []),
    ...(isRunning && secondsLeft !== null ? [t("progress.left", { time: roughDuration(secondsLeft, language) })] : []),
    ...(isRunning && host !== null ? [t("progress.from", { host })] : []),
  ];
}

function Failed({ installation: { failure, detail } }: { installation: Installation }) {
  const { t } = wordsOf(useTranslation("models"));
  return (
    <Notice tone="danger" announce={false}>
      <strong>{t("state.failed")}</strong>
      <p>{t(`failure.${failure ?? "unknown"}`)}</p>
      {detail === null ? null : (
        <details className={`size-1 ${styles.details}`}>
          <summary>{t("detail")}</summary>
          <p lang="en" className={`size-0 anywhere ${styles.detail}`}>
            {detail}
          </p>
        </details>
      )}
    </Notice>
  );
}
