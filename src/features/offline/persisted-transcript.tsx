import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { plainTextOf, type Segment } from "#contract/index.ts";
import { copyComing } from "#src/browser/clipboard.ts";
import { downloadFile } from "#src/browser/download.ts";
import { toast } from "#src/browser/toasts.ts";
import { useSpeakerName } from "#src/features/transcription/speaker.tsx";
import type { PersistedTranscription } from "#src/features/transcriptions/persisted.ts";
import { fileTitleNow, useShownTitle } from "#src/features/transcriptions/shown-title.ts";
import { clock, dateTime, languageName } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { Icon } from "#src/ui/icon.tsx";
import pageStyles from "#src/ui/page.module.css";
import styles from "./persisted-transcript.module.css";

/** A transcript as last seen on this device, rendered completely. Actions that need the server are not offered. */
export function PersistedTranscript({ kept: { transcription, seenAt } }: { kept: PersistedTranscription }) {
  const { t, i18n } = useTranslation("app");
  const title = useShownTitle()(transcription);
  const nameOf = useSpeakerName();
  const { date, durationSeconds, segments, text, translatedText } = transcription;
  const speaker = ({ speaker: said }: Pick<Segment, "speaker">) => (said === undefined ? "" : nameOf(said));
  const plain = () => plainTextOf(transcription, { speaker, language: (code) => languageName(code, i18n.language) });
  const copy = async () => {
    const copied = await copyComing(Promise.resolve(plain()));
    toast(copied ? { kind: "success", key: "toast.copied" } : { kind: "error", key: "toast.copyFailed" });
  };
  const save = () => downloadFile(new Blob([plain(), "\n"]), `${fileTitleNow(transcription) ?? title}.txt`);
  const passages: readonly Pick<Segment, "text" | "translation" | "speaker" | "start">[] = segments;
  return (
    <article className={pageStyles.page}>
      <header className={`stack gap-2 ${styles.head}`}>
        <h1 ref={claimFocus} tabIndex={-1}>
          {title}
        </h1>
        <p className={styles.facts}>
          <time dateTime={date}>{dateTime(date, i18n.language)}</time>
          {durationSeconds === null ? null : <span>{t("transcript.length", { time: clock(durationSeconds) })}</span>}
        </p>
        <p className={styles.facts}>
          {t("offline:kept.asOf", { date: dateTime(new Date(seenAt).toISOString(), i18n.language) })}
        </p>
        <div className={styles.facts}>
          <Link className={buttonClass("secondary")} to="/dashboard" preload={false}>
            <Icon name="arrowBack" />
            {t("nav.dashboard")}
          </Link>
          <Button icon="copy" onClick={() => void copy()}>
            {t("transcript.copy")}
          </Button>
          <Button icon="download" onClick={save}>
            {t("transcript.formats.txt")}
          </Button>
        </div>
      </header>
      {passages.length === 0 ? (
        <div className={`stack gap-4 measure size-3 reading anywhere as-written ${styles.text}`}>
          <p dir="auto">{text}</p>
          <p dir="auto">{translatedText}</p>
        </div>
      ) : (
        <ol
          className={`stack gap-4 measure size-3 reading anywhere as-written ${styles.text}`}
          aria-label={t("transcript.textLabel")}
        >
          {passages.map((passage, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing of it changes
            <li key={index}>
              <p className={styles.facts}>
                <span>{clock(passage.start)}</span>
                {passage.speaker === passages[index - 1]?.speaker ? null : <strong>{speaker(passage)}</strong>}
              </p>
              <p dir="auto">{passage.text}</p>
              {passage.translation === undefined ? null : (
                <p className="soft" dir="auto">
                  {passage.translation}
                </p>
              )}
            </li>
          ))}
        </ol>
      )}
    </article>
  );
}
