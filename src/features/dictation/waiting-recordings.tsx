import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { isAway, watchAway } from "#src/browser/network.ts";
import { clock, dateTime, languageName } from "#src/i18n/format.ts";
import { Notice } from "#src/ui/notice.tsx";
import { type WaitingRecording, waitingRecordings, watchWaitingRecordings } from "./waiting.ts";

/** The signed-in user's recordings that wait in this browser for a network, with the state of each. */
export function WaitingRecordings() {
  const { t } = useTranslation("dictation");
  const waiting = useSyncExternalStore(watchWaitingRecordings, waitingRecordings);
  const away = useSyncExternalStore(watchAway, isAway);
  if (waiting.length === 0) return null;
  return (
    <Notice>
      <strong>{t("waiting.title", { count: waiting.length })}</strong>
      {waiting.map((recording) => (
        <p key={recording.id}>
          <Becomes recording={recording} />
        </p>
      ))}
      <p>{t(away ? "waiting.later" : "waiting.now")}</p>
    </Notice>
  );
}

/** The recording's date, length and state. */
export function Becomes({ recording }: { recording: Omit<WaitingRecording, "id"> }) {
  const { t, i18n } = useTranslation("dictation");
  const { startedAt, durationSeconds, sourceLanguage, targetLanguage } = recording;
  const kind = sourceLanguage === "auto" ? "auto" : targetLanguage === null ? "in" : "translated";
  return t(`waiting.${kind}`, {
    date: dateTime(new Date(startedAt).toISOString(), i18n.language),
    duration: clock(durationSeconds),
    language: languageName(sourceLanguage, i18n.language),
    target: languageName(targetLanguage ?? sourceLanguage, i18n.language),
  });
}
