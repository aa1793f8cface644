import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { selectSaveError } from "../../../machines/transcription.ts";
import { type EnginesAnswer, statusOf, type Transcription } from "../../api/contract/index.ts";
import type { OpenTranscription } from "../../app/transcription.ts";
import { clock, dateTime, languageName } from "../../i18n/format.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Notice } from "../../ui/notice.tsx";
import pageStyles from "../../ui/page.module.css";
import { Status } from "../history/status.tsx";
import { JobProgress } from "../speech/job-progress.tsx";
import { heardLanguage } from "../speech/languages.ts";
import { canRetry, problemKeys } from "../speech/upload-problem.ts";
import { PlainText } from "./plain-text.tsx";
import { PlayerBar } from "./player-bar.tsx";
import { Segments } from "./segments.tsx";
import { Title } from "./title.tsx";
import { Tools } from "./tools.tsx";
import styles from "./transcript.module.css";

interface TranscriptProps {
  open: OpenTranscription;
  engines: EnginesAnswer | null;
  transcription: Transcription;
}

export function Transcript({ open, engines, transcription }: TranscriptProps) {
  const { t } = useTranslation("app");
  const { actor, player } = open;
  const title = transcription.title || t("history.untitled");
  return (
    <div className={pageStyles.page}>
      <header className={styles.head}>
        <Link className={styles.back} to="/dashboard">
          <Icon name="arrowBack" />
          {t("transcript.back")}
        </Link>
        <Title title={title} onRename={(next) => actor.send({ type: "title.edited", title: next })} />
        <Facts transcription={transcription} engines={engines} />
      </header>
      <Tools open={open} engines={engines} transcription={transcription} />
      <Trouble actor={open.actor} transcription={transcription} />
      <Working transcription={transcription} title={title} />
      <Text open={open} engines={engines} transcription={transcription} />
      {transcription.hasAudio ? (
        <PlayerBar player={player.actor} position={player.position} durationSeconds={transcription.durationSeconds} />
      ) : (
        <p className={styles.facts}>{t("transcript.noAudio")}</p>
      )}
    </div>
  );
}

function Facts({ transcription, engines }: Omit<TranscriptProps, "open">) {
  const { t, i18n } = useTranslation("app");
  const { date, durationSeconds, sourceLanguage, targetLanguage, engine, fileName } = transcription;
  const name = (code: string) => (code === "auto" ? t("languages.auto") : languageName(code, i18n.language));
  const status = statusOf(transcription.status);
  return (
    <p className={styles.facts}>
      {status === "completed" ? null : <Status status={status} />}
      <time dateTime={date}>{dateTime(date, i18n.language)}</time>
      {durationSeconds === null ? null : <span>{t("transcript.length", { time: clock(durationSeconds) })}</span>}
      <span>{t("transcript.spokenIn", { language: name(heardLanguage(engines, sourceLanguage)) })}</span>
      {targetLanguage ? <span>{t("transcript.translatedTo", { language: name(targetLanguage) })}</span> : null}
      {engine ? <span>{t("transcript.heardBy", { engine: engineName(engines, engine) })}</span> : null}
      {fileName ? <span className={styles.fileName}>{fileName}</span> : null}
    </p>
  );
}

const engineName = (engines: EnginesAnswer | null, id: string): string =>
  engines?.speech.engines.find((engine) => engine.id === id)?.name ?? id;

/** What went wrong with it, and what can be done: a failed job, a warning, corrections that are not saved. */
function Trouble({ actor, transcription }: Pick<OpenTranscription, "actor"> & { transcription: Transcription }) {
  const { t } = useTranslation("app");
  const unsaved = useSelector(actor, selectSaveError);
  const { error } = transcription;
  const failed = statusOf(transcription.status) === "failed";
  const again = canRetry(transcription) || error?.code === "translationFailed";
  return (
    <>
      {unsaved ? (
        <Notice
          tone="danger"
          actions={
            <Button icon="retry" onClick={() => actor.send({ type: "save.requested" })}>
              {t("transcript.saveAgain")}
            </Button>
          }
        >
          <p>{t("transcript.unsavedEdits")}</p>
          <p>{t(`errors.${unsaved}`)}</p>
        </Notice>
      ) : null}
      {error ? (
        <Notice
          tone={failed ? "danger" : "plain"}
          icon="warning"
          actions={
            again ? (
              <Button icon="retry" onClick={() => actor.send({ type: "retry.requested" })}>
                {t("transcript.retry")}
              </Button>
            ) : null
          }
        >
          {t(problemKeys(error.code ?? "internal", statusOf(transcription.status)))}
        </Notice>
      ) : null}
    </>
  );
}

function Working({ transcription, title }: { transcription: Transcription; title: string }) {
  const status = statusOf(transcription.status);
  if (status !== "processing" && status !== "pending") return null;
  return <JobProgress progress={transcription.progress} title={title} />;
}

/** The segments; a plain text where there are none. While the server works, what it has so far, not to be corrected yet. */
function Text({ open: { actor, player }, engines, transcription }: TranscriptProps) {
  const { segments, sourceLanguage, targetLanguage, text } = transcription;
  const onSeek = useCallback((seconds: number) => player.actor.send({ type: "seek.requested", seconds, play: true }), [player]);
  const onEdit = useCallback(
    (index: number, corrected: string) => actor.send({ type: "segment.edited", index, text: corrected }),
    [actor],
  );
  const editable = statusOf(transcription.status) === "completed";
  if (segments.length === 0) {
    return <PlainText text={text} onEdit={editable ? (next) => actor.send({ type: "text.edited", text: next }) : undefined} />;
  }
  return (
    <Segments
      segments={segments}
      position={player.position}
      language={heardLanguage(engines, sourceLanguage)}
      translationLanguage={targetLanguage}
      editable={editable}
      seekable={transcription.hasAudio}
      onSeek={onSeek}
      onEdit={onEdit}
    />
  );
}
