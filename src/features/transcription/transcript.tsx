import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useCallback, useMemo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { type EnginesAnswer, statusOf, type TimeRange, type Transcription } from "#contract/index.ts";
import { selectIsOpen, selectIsUnavailable } from "#machines/collection/loading.ts";
import { canTranscribe } from "#src/api/engines.ts";
import { recognizedLanguage } from "#src/features/engines/choosable-languages.ts";
import { type Notes, openNotes } from "#src/features/notes/actor.ts";
import { beginNote, noteHere } from "#src/features/notes/begin.ts";
import { NotesDock } from "#src/features/notes/layer.tsx";
import { perform } from "#src/features/shortcuts/actor.ts";
import { Working } from "#src/features/transcriptions/job-progress.tsx";
import { useShownTitle } from "#src/features/transcriptions/shown-title.ts";
import { WithVideo } from "#src/features/video/slot.tsx";
import { Button } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { lazyPart } from "#src/ui/lazy-part.tsx";
import pageStyles from "#src/ui/page.module.css";
import { type OpenTranscription, playbackOf } from "./actor.ts";
import { Drawer, type DrawerContent, openerIds, type SharingPanel } from "./drawer.tsx";
import { Facts } from "./facts.tsx";
import { listenToKeys } from "./keyboard.ts";
import { confirmWord, goToUnsure, Legend } from "./legend.tsx";
import { OutputTools } from "./output-tools.tsx";
import { PlainText } from "./plain-text.tsx";
import { leaving } from "./player.ts";
import { PlayerBar } from "./player-bar.tsx";
import { transcriptPreferences } from "./preferences.ts";
import { indexEnding, readingIn, segmentsOf } from "./reading-place.ts";
import type { Field, RowActions } from "./row.ts";
import { Segments } from "./segments.tsx";
import { namedWith } from "./speaker.tsx";
import { canDiarize, MoreMenu } from "./tools.tsx";
import styles from "./transcript.module.css";
import { openFind, TranscriptBar } from "./transcript-bar.tsx";
import { Trouble } from "./trouble.tsx";
import { ViewSwitch } from "./view-switch.tsx";

const Waveform = lazyPart(async () => (await import("#src/features/waveform/waveform.tsx")).Waveform, "waveform");

interface TranscriptProps {
  open: OpenTranscription;
  engines: EnginesAnswer | null;
  transcription: Transcription;
}

export function Transcript({ open, engines, transcription, sharingPanel }: TranscriptProps & { sharingPanel: SharingPanel }) {
  const { actor } = open;
  const title = useShownTitle()(transcription);
  const { hasAudio, segments, targetLanguage, access } = transcription;
  const [drawer, setDrawer] = useState<DrawerContent | null>(null);
  const finished = statusOf(transcription.status) === "completed";
  const edit = finished && access?.role !== "read";
  const notes = finished && segments.length > 0 ? openNotes(open.id, leaving(open)) : undefined;
  const unavailable = useSelector(notes, (snapshot) => snapshot === undefined || selectIsUnavailable(snapshot));
  const passages = useMemo(() => passagesOf(open), [open]);
  const listen = useKeys({ open, transcription, edit, notes });
  const tools = { open, engines, transcription, drawer, onDrawer: setDrawer, notable: !unavailable, editable: edit };
  return (
    <div className={`${pageStyles.page} ${styles.page}`} ref={listen}>
      <TranscriptBar
        open={open}
        title={title}
        onRename={access === undefined ? (next) => actor.send({ type: "title.edited", title: next }) : undefined}
        back={<Back access={access} />}
        editable={edit}
        searchable={segments.length > 0}
        onHelp={() => perform("help")}
      >
        {access === undefined && finished ? <SharingButton drawer={drawer} onDrawer={setDrawer} /> : null}
        <OutputTools
          output={open.output}
          transcription={transcription}
          exportable={finished && (engines === null || canTranscribe(engines))}
        />
        <MoreMenu {...tools} />
      </TranscriptBar>
      <Facts open={open} transcription={transcription} engines={engines} />
      <Trouble actor={actor} transcription={transcription} />
      <Working transcription={transcription} title={title} />
      <div className={styles.above}>
        {targetLanguage !== null && segments.length > 0 ? <ViewSwitch /> : null}
        <Legend open={open} segments={segments} editable={edit} />
      </div>
      <div className={styles.body}>
        <WithVideo
          id={open.id}
          stage={transcription.hasPicture === true && edit ? open.stage : undefined}
          onLeave={leaving(open)}
        >
          <Text open={open} engines={engines} transcription={transcription} notes={notes} onReturn={passages.onReturn} />
        </WithVideo>
        {drawer === null || !finished ? null : (
          <Drawer
            key={drawer}
            content={drawer}
            open={open}
            transcription={transcription}
            title={title}
            notes={notes}
            diarizes={canDiarize(engines, transcription)}
            sharingPanel={sharingPanel}
            onClose={() => setDrawer(null)}
          />
        )}
        {notes === undefined ? null : <NotesDock notes={notes} segments={segments} className={styles.drawer} {...passages} />}
      </div>
      <div className={styles.foot}>{hasAudio ? <Player open={open} transcription={transcription} /> : null}</div>
    </div>
  );
}

interface SharingButtonProps {
  drawer: DrawerContent | null;
  onDrawer(drawer: DrawerContent | null): void;
}

function SharingButton({ drawer, onDrawer }: SharingButtonProps) {
  const { t } = useTranslation("app");
  return (
    <Button
      id={openerIds.sharing}
      icon="share"
      className={styles.short}
      aria-expanded={drawer === "sharing"}
      onClick={() => onDrawer(drawer === "sharing" ? null : "sharing")}
    >
      <span>{t("transcript.sharing.open")}</span>
    </Button>
  );
}

/** The player. The waveform covers the whole audio. */
function Player({ open, transcription: { durationSeconds, status } }: Pick<TranscriptProps, "open" | "transcription">) {
  return (
    <PlayerBar player={open.player} durationSeconds={durationSeconds}>
      {statusOf(status) === "completed" ? <Waveform id={open.id} sound={playbackOf(open)} onLeave={leaving(open)} /> : null}
    </PlayerBar>
  );
}

interface KeysProps {
  open: OpenTranscription;
  transcription: Transcription;
  edit: boolean;
  notes: Notes | undefined;
}

/** Registers the page's keys while it is mounted. @returns the ref of the page */
function useKeys({ open, transcription: { hasAudio }, edit, notes }: KeysProps) {
  return useCallback(
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
}

/** A link to the list that contains the transcript. */
function Back({ access }: Pick<Transcription, "access">) {
  const { t } = useTranslation("app");
  return (
    <Link className={styles.back} to={access === undefined ? "/dashboard" : "/shared-with-me"}>
      <Icon name="arrowBack" />
      <span className="visuallyHidden">{t(access === undefined ? "nav.dashboard" : "sharedWithMe.title")}</span>
    </Link>
  );
}

/** Shows the passage that begins at this second, or focuses its row. */
const passagesOf = (open: OpenTranscription) => ({
  onShow: (seconds: number) => open.place.show({ index: indexEnding(open, seconds), align: "start" }),
  onReturn: (seconds: number) => open.place.show({ index: indexEnding(open, seconds), focus: "note" }),
});

interface TextProps extends TranscriptProps {
  notes: Notes | undefined;
  onReturn(seconds: number): void;
}

/** The segments, or a plain text without segments. While the server is processing, the partial text, read-only. */
function Text({ open, engines, transcription, notes, onReturn }: TextProps) {
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
      language={recognizedLanguage(engines, sourceLanguage)}
      translationLanguage={targetLanguage}
      view={view}
      editable={editable}
      seekable={hasAudio}
      actions={actions}
      notes={notes}
      onReturn={onReturn}
    />
  );
}

/** The actions of rows. The object is stable while the transcription is open. */
function actionsOf({ actor, player, place, suggestions }: OpenTranscription): RowActions {
  const typing = (index: number, field: Field, text: string | null) =>
    actor.send({ type: "typing.changed", key: field === "text" ? String(index) : `translation:${index}`, text });
  const save = (index: number, field: Field, text: string) =>
    actor.send({ type: field === "text" ? "segment.edited" : "translation.edited", index, text });
  /** Keeps the current unsure word of the row. */
  const focus = (index: number, field: Field, caret?: number) => {
    const here = place.get();
    const word = here?.index === index ? here.word : undefined;
    place.show({
      index,
      focus: field === "text" ? "edit" : field,
      align: "none",
      ...(word !== undefined && { word }),
      ...(caret !== undefined && { caret }),
    });
  };
  return {
    seek: (seconds) => player.actor.send({ type: "seek.requested", seconds, play: true }),
    open: (index, field, caret) => {
      const text = segmentsOf({ actor })[index]?.[field] ?? "";
      typing(index, field, text);
      focus(index, field, caret ?? text.length);
    },
    type: typing,
    save: (index, field, text, stays) => {
      save(index, field, text);
      if (stays) typing(index, field, text);
    },
    close: (index, field, text) => {
      if (text === null) typing(index, field, null);
      else save(index, field, text);
      focus(index, field);
    },
    settle: (index, other, take) => actor.send({ type: "other.settled", index, other, take }),
    split: (index, before, after) => actor.send({ type: "segment.split", index, before, after }),
    merge: (index) => actor.send({ type: "segment.merged", index }),
    name: (index, name, reach) => {
      actor.send({ type: "speaker.named", name, segments: namedWith(segmentsOf({ actor }), index, reach) });
    },
    answer: (suggestion, yes) => suggestions.send({ type: yes ? "suggestion.accepted" : "suggestion.declined", suggestion }),
  };
}
