import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { is } from "valibot";
import { type EnginesAnswer, HeardBy, statusOf, type Transcription } from "#contract/index.ts";
import { selectIsSaving, selectTranslatingTo } from "#machines/transcription/selectors.ts";
import { recognizedLanguage } from "#src/features/engines/choosable-languages.ts";
import { trackName } from "#src/features/engines/track-options.ts";
import { Status } from "#src/features/transcriptions/status.tsx";
import { clock, dateTime, languageName } from "#src/i18n/format.ts";
import { lazyPart } from "#src/ui/lazy-part.tsx";
import type { OpenTranscription } from "./actor.ts";
import { Filed } from "./filed.tsx";
import { leaving } from "./player.ts";
import styles from "./transcript.module.css";

const RetentionDates = lazyPart(async () => (await import("#src/features/retention/dates.tsx")).RetentionDates);

interface FactsProps {
  open: OpenTranscription;
  engines: EnginesAnswer | null;
  transcription: Transcription;
}

/** The text's date, languages, folder, and save state. */
export function Facts({ open, engines, transcription }: FactsProps) {
  const { t, i18n } = useTranslation("app");
  const { date, origin, durationSeconds, hasAudio, access } = transcription;
  const saving = useSelector(open.actor, selectIsSaving);
  const translating = useSelector(open.actor, selectTranslatingTo);
  const status = statusOf(transcription.status);
  return (
    <p className="facts">
      {status === "completed" ? null : <Status status={status} />}
      {origin === "sample" ? <span>{t("history.sample")}</span> : null}
      {access === undefined ? null : <span role="status">{t(`sharedWithMe.${access.role}`, { email: access.by })}</span>}
      <time dateTime={date}>{dateTime(date, i18n.language)}</time>
      {durationSeconds === null ? null : <span>{t("transcript.length", { time: clock(durationSeconds) })}</span>}
      <Languages engines={engines} transcription={transcription} className={styles.wideOnly} />
      {hasAudio ? null : <span>{t("transcript.noAudio")}</span>}
      {access === undefined ? <Filed open={open} transcription={transcription} as="labels" /> : null}
      <span role="status">{saving ? t(translating ? "transcript.translating" : "transcript.saving") : ""}</span>
    </p>
  );
}

function Languages({ engines, transcription, className }: Omit<FactsProps, "open"> & { className: string | undefined }) {
  const { t, i18n } = useTranslation("app");
  const { sourceLanguage, targetLanguage, tracks, track: number } = transcription;
  const track = number === undefined ? undefined : tracks?.[number - 1];
  const name = (code: string) => (code === "auto" ? t("languages.auto") : languageName(code, i18n.language));
  return (
    <>
      <span className={className}>
        {t("transcript.spokenIn", { language: name(recognizedLanguage(engines, sourceLanguage)) })}
      </span>
      {targetLanguage ? (
        <span className={className}>{t("transcript.translatedTo", { language: name(targetLanguage) })}</span>
      ) : null}
      {track === undefined ? null : (
        <span className={className}>
          {t(trackName(track, i18n.language) === "" ? "soundTrack.heard" : "soundTrack.heardNamed", {
            number,
            total: tracks?.length,
            name: trackName(track, i18n.language),
          })}
        </span>
      )}
    </>
  );
}

function RecognizedBy({ engines, id }: { engines: EnginesAnswer | null; id: string }) {
  const { t } = useTranslation("app");
  if (is(HeardBy, id)) return <span>{t(`transcript.recognizedBy.${id}`)}</span>;
  const name = engines?.speech.engines.find((engine) => engine.id === id)?.name ?? id;
  return <span>{t("transcript.heardBy", { engine: name })}</span>;
}

/**
 * Rarely needed details: what recognized the speech, the file's name, and the retention. On a phone also the languages.
 */
export function Origin({ open, engines, transcription }: FactsProps) {
  const { engine, fileName, access, status } = transcription;
  return (
    <div className={`stack gap-1 fine anywhere ${styles.origin}`}>
      <Languages engines={engines} transcription={transcription} className={styles.phoneOnly} />
      {engine ? <RecognizedBy engines={engines} id={engine} /> : null}
      {fileName ? <span>{fileName}</span> : null}
      {statusOf(status) === "completed" && access === undefined ? <RetentionDates id={open.id} onLeave={leaving(open)} /> : null}
    </div>
  );
}
