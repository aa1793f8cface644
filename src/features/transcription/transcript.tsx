import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { lazy, Suspense, useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { type EnginesAnswer, statusOf, type TimeRange, type Transcription } from "#contract/index.ts";
import { selectIsOpen, selectIsUnavailable } from "#machines/notes/selectors.ts";
import { heardLanguage } from "#src/features/engines/choosable-languages.ts";
import { type Notes, openNotes } from "#src/features/notes/actor.ts";
import { beginNote, noteHere } from "#src/features/notes/begin.ts";
import { NotesDock, NotesPanel } from "#src/features/notes/layer.tsx";
import { perform } from "#src/features/shortcuts/actor.ts";
import { Working } from "#src/features/transcriptions/job-progress.tsx";
import { useShownTitle } from "#src/features/transcriptions/shown-title.ts";
import { Status } from "#src/features/transcriptions/status.tsx";
import { Filmed } from "#src/features/video/slot.tsx";
import { clock, dateTime, languageName } from "#src/i18n/format.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { Icon } from "#src/ui/icon.tsx";
import pageStyles from "#src/ui/page.module.css";
import { heardIn, type OpenTranscription } from "./actor.ts";
import { EditBar, openFind } from "./edit-bar.tsx";
import { listenToKeys } from "./keyboard.ts";
import { confirmWord, goToUnsure, Legend } from "./legend.tsx";
import { PlainText } from "./plain-text.tsx";
import { leaving } from "./player.ts";
import { PlayerBar } from "./player-bar.tsx";
import { transcriptPreferences } from "./preferences.ts";
import { indexEnding, playFrom, readingIn, segmentsOf } from "./reading-place.ts";
import type { RowActions } from "./segment.tsx";
import { Segments } from "./segments.tsx";
import { namedWith } from "./speaker.tsx";
import { Diarizing, TalkTimes } from "./speakers.tsx";
import { Title } from "./title.tsx";
import { Filed, insightsButtonId, notesButtonId, sharingButtonId, Tools } from "./tools.tsx";
import styles from "./transcript.module.css";
import { Trouble } from "./trouble.tsx";
import { ViewSwitch } from "./view-switch.tsx";

/** Loaded when somebody opens it. */
const InsightsPanel = lazy(async () => {
  const [panel] = await Promise.all([import("#src/features/insights/panel.tsx"), loadTexts("insights")]);
  return { default: panel.InsightsPanel };
});

const RetentionDates = lazy(async () => ({ default: (await import("#src/features/retention/dates.tsx")).RetentionDates }));

/** Without it the player is what it was. */
const Waveform = lazy(async () => {
  const here = Promise.all([import("#src/features/waveform/waveform.tsx"), loadTexts("waveform")]);
  return { default: (await here.catch(() => undefined))?.[0].Waveform ?? (() => null) };
});

const SharingPanel = lazy(async () => {
  const [panel] = await Promise.all([import("#src/features/sharing/panel.tsx"), loadTexts("sharing"), loadTexts("people")]);
  return { default: panel.SharingPanel };
});

interface TranscriptProps {
  open: OpenTranscription;
  engines: EnginesAnswer | null;
  transcription: Transcription;
}

export function Transcript({ open, engines, transcription }: TranscriptProps) {
  const { t } = useTranslation("app");
  const { actor, player } = open;
  const title = useShownTitle()(transcription);
  const { hasAudio, segments, targetLanguage } = transcription;
  const [understanding, setUnderstanding] = useState(false);
  const [sharing, setSharing] = useState(false);
  const [noting, setNoting] = useState(false);
  const finished = statusOf(transcription.status) === "completed";
  const { access } = transcription;
  const edit = finished && access?.role !== "read";
  const notes = finished && segments.length > 0 ? openNotes(open.id, leaving(open)) : undefined;
  const unavailable = useSelector(notes, (snapshot) => snapshot === undefined || selectIsUnavailable(snapshot));
  const listen = useCallback(
    (page: HTMLElement | null) =>
      page === null
        ? undefined
        : listenToKeys(
            open,
            { listen: hasAudio, edit },
            {
              find: () => openFind(open),
              nextUnsure: () => goToUnsure(open, 1),
              previousUnsure: () => goToUnsure(open, -1),
              confirmWord: () => (edit ? confirmWord(open) : undefined),
              note: () => (notes === undefined ? undefined : noteHere(notes, segmentsOf(open), readingIn(open))),
            },
          ),
    [open, hasAudio, edit, notes],
  );
  return (
    <div className={`${pageStyles.page} ${styles.page}`} ref={listen}>
      <header className={styles.head}>
        <Back access={access} />
        <Title
          title={title}
          onRename={access === undefined ? (next) => actor.send({ type: "title.edited", title: next }) : undefined}
        />
        <Facts open={open} transcription={transcription} engines={engines} />
      </header>
      <Tools
        open={open}
        engines={engines}
        transcription={transcription}
        understanding={understanding}
        onUnderstand={setUnderstanding}
        sharing={sharing}
        onShare={setSharing}
        noting={unavailable ? undefined : noting}
        onNote={setNoting}
      />
      <Trouble actor={actor} transcription={transcription} />
      <Working transcription={transcription} title={title} />
      <Diarizing transcription={transcription} title={title} />
      {understanding && edit ? (
        <Suspense fallback={<p role="status">{t("transcript.insights.loading")}</p>}>
          <Understanding
            open={open}
            transcription={transcription}
            title={title}
            hasAudio={hasAudio}
            onClose={() => setUnderstanding(false)}
          />
        </Suspense>
      ) : null}
      {sharing && edit ? (
        <Suspense fallback={<p role="status">{t("transcript.sharing.loading")}</p>}>
          <Sharing open={open} transcription={transcription} onClose={() => setSharing(false)} />
        </Suspense>
      ) : null}
      {noting && notes !== undefined ? (
        <Suspense fallback={<p role="status">{t("transcript.notes.loading")}</p>}>
          <NotesPanel
            notes={notes}
            segments={segments}
            playing={{ play: (seconds) => playFrom(open, hasAudio, seconds), hasAudio }}
            onClose={() => {
              setNoting(false);
              document.getElementById(notesButtonId)?.focus();
            }}
          />
        </Suspense>
      ) : null}
      <EditBar open={open} editable={edit} searchable={segments.length > 0} onHelp={() => perform("help")} />
      <div className={styles.above}>
        {targetLanguage !== null && segments.length > 0 ? <ViewSwitch /> : null}
        <Legend open={open} segments={segments} editable={edit} />
        <TalkTimes segments={segments} />
      </div>
      <Filmed id={open.id} stage={transcription.hasPicture === true && edit ? open.stage : undefined} onLeave={leaving(open)}>
        <Text open={open} engines={engines} transcription={transcription} notes={notes} />
      </Filmed>
      <div className={styles.foot}>
        {notes === undefined ? null : <Dock open={open} notes={notes} segments={segments} />}
        {hasAudio ? (
          <PlayerBar player={player} durationSeconds={transcription.durationSeconds}>
            {finished ? (
              <Suspense fallback={null}>
                <Waveform id={open.id} sound={heardIn(open)} onLeave={leaving(open)} />
              </Suspense>
            ) : null}
          </PlayerBar>
        ) : null}
      </div>
      {hasAudio ? null : <p className={styles.facts}>{t("transcript.noAudio")}</p>}
    </div>
  );
}

/** Where it is listed; of somebody else's, whose it is and what may be done with it. */
function Back({ access }: Pick<Transcription, "access">) {
  const { t } = useTranslation("app");
  return (
    <>
      <Link className={styles.back} to={access === undefined ? "/dashboard" : "/shared-with-me"}>
        <Icon name="arrowBack" />
        <span>{t(access === undefined ? "nav.dashboard" : "sharedWithMe.title")}</span>
      </Link>
      {access === undefined ? null : (
        <p className={styles.facts} role="status">
          {t(`sharedWithMe.${access.role}`, { email: access.by })}
        </p>
      )}
    </>
  );
}

/** What is noted of the text. */
function Dock({ open, ...dock }: { open: OpenTranscription; notes: Notes; segments: Transcription["segments"] }) {
  const onReturn = useCallback(
    (seconds: number) => open.place.show({ index: indexEnding(open, seconds), focus: "note" }),
    [open],
  );
  return <NotesDock {...dock} onReturn={onReturn} />;
}

interface UnderstandingProps extends Pick<TranscriptProps, "open" | "transcription"> {
  title: string;
  hasAudio: boolean;
  onClose(): void;
}

/** What a language model makes of the transcript; its times play, or show the passage where there is no sound. */
function Understanding({ open, transcription, title, hasAudio, onClose }: UnderstandingProps) {
  return (
    <InsightsPanel
      id={open.id}
      title={title}
      folderId={transcription.filed?.folderId ?? null}
      playing={{ play: (seconds) => playFrom(open, hasAudio, seconds), hasAudio }}
      onLeave={leaving(open)}
      onClose={() => {
        onClose();
        document.getElementById(insightsButtonId)?.focus();
      }}
    />
  );
}

interface SharingProps extends Pick<TranscriptProps, "open" | "transcription"> {
  onClose(): void;
}

/** The links to the transcript. */
function Sharing({ open, transcription, onClose }: SharingProps) {
  return (
    <SharingPanel
      id={open.id}
      has={{ audio: transcription.hasAudio, translation: transcription.targetLanguage !== null }}
      onLeave={leaving(open)}
      onClose={() => {
        onClose();
        document.getElementById(sharingButtonId)?.focus();
      }}
    />
  );
}

function Facts({ open, transcription, engines }: TranscriptProps) {
  const { t, i18n } = useTranslation("app");
  const { date, origin, durationSeconds, sourceLanguage, targetLanguage, engine, fileName, access } = transcription;
  const name = (code: string) => (code === "auto" ? t("languages.auto") : languageName(code, i18n.language));
  const status = statusOf(transcription.status);
  return (
    <p className={styles.facts}>
      {status === "completed" ? null : <Status status={status} />}
      {origin === "sample" ? <span>{t("history.sample")}</span> : null}
      <time dateTime={date}>{dateTime(date, i18n.language)}</time>
      {durationSeconds === null ? null : <span>{t("transcript.length", { time: clock(durationSeconds) })}</span>}
      <span>{t("transcript.spokenIn", { language: name(heardLanguage(engines, sourceLanguage)) })}</span>
      {targetLanguage ? <span>{t("transcript.translatedTo", { language: name(targetLanguage) })}</span> : null}
      {engine ? <span>{t("transcript.heardBy", { engine: engineName(engines, engine) })}</span> : null}
      {fileName ? <span className={styles.fileName}>{fileName}</span> : null}
      {access === undefined ? <Filed open={open} transcription={transcription} as="labels" /> : null}
      {status === "completed" && access === undefined ? (
        <Suspense fallback={null}>
          <RetentionDates id={open.id} onLeave={leaving(open)} />
        </Suspense>
      ) : null}
    </p>
  );
}

const engineName = (engines: EnginesAnswer | null, id: string): string =>
  engines?.speech.engines.find((engine) => engine.id === id)?.name ?? id;

/** The segments, or a plain text without them. While the server is processing, the partial text, read-only. */
function Text({ open, engines, transcription, notes }: TranscriptProps & { notes: Notes | undefined }) {
  const { actor } = open;
  const { segments, sourceLanguage, targetLanguage, text, hasAudio } = transcription;
  const { view } = useSyncExternalStore(transcriptPreferences.subscribe, transcriptPreferences.get);
  const offered = useSelector(notes, (snapshot) => snapshot !== undefined && selectIsOpen(snapshot));
  const actions = useMemo(
    () => ({ ...actionsOf(open), note: offered && notes ? (segment: TimeRange) => beginNote(notes, segment) : undefined }),
    [open, notes, offered],
  );
  const editable = statusOf(transcription.status) === "completed" && transcription.access?.role !== "read";
  if (segments.length === 0) {
    return <PlainText actor={actor} text={text} translation={transcription.translatedText} editable={editable} />;
  }
  return (
    <Segments
      open={open}
      segments={segments}
      language={heardLanguage(engines, sourceLanguage)}
      translationLanguage={targetLanguage}
      view={view}
      editable={editable}
      seekable={hasAudio}
      actions={actions}
      notes={notes}
    />
  );
}

/** The actions of rows, stable while the transcription is open. */
function actionsOf({ actor, player, suggestions }: OpenTranscription): RowActions {
  return {
    seek: (seconds) => player.actor.send({ type: "seek.requested", seconds, play: true }),
    type: (index, text) => actor.send({ type: "typing.changed", key: String(index), text }),
    edit: (index, text) => actor.send({ type: "segment.edited", index, text }),
    settle: (index, other, take) => actor.send({ type: "other.settled", index, other, take }),
    typeTranslation: (index, text) => actor.send({ type: "typing.changed", key: `translation:${index}`, text }),
    translate: (index, text) => actor.send({ type: "translation.edited", index, text }),
    split: (index, before, after) => actor.send({ type: "segment.split", index, before, after }),
    merge: (index) => actor.send({ type: "segment.merged", index }),
    name: (index, name, reach) => {
      actor.send({ type: "speaker.named", name, segments: namedWith(segmentsOf({ actor }), index, reach) });
    },
    answer: (suggestion, yes) => suggestions.send({ type: yes ? "suggestion.accepted" : "suggestion.declined", suggestion }),
  };
}
