import { memo, useCallback, useMemo, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { OtherText, Segment, SpeakerSuggestion } from "#contract/index.ts";
import type { Hit } from "#machines/transcription/find/rules.ts";
import { indexAt, type PositionStore } from "#src/audio/position.ts";
import type { RowNote } from "#src/features/notes/row-notes.ts";
import { OtherTexts } from "#src/features/people/other-texts.tsx";
import { clock, languageName } from "#src/i18n/format.ts";
import { IconButton } from "#src/ui/button.tsx";
import { EditButton } from "./edit-button.tsx";
import { Editor } from "./editor.tsx";
import { writtenMarks } from "./marks.ts";
import type { TranscriptPreferences } from "./preferences.ts";
import styles from "./segment.module.css";
import { type NameReach, Speaker } from "./speaker.tsx";
import { Suggestion } from "./suggestion.tsx";
import { Translation } from "./translation.tsx";
import { Words } from "./words.tsx";

/** Actions of a row; a stable object while the transcription is open. */
export interface RowActions {
  /** Plays from there; in seconds. */
  seek(seconds: number): void;
  /** null closes the field. */
  type(index: number, text: string | null): void;
  edit(index: number, text: string): void;
  /** What somebody else has written is taken in place of the text, or left out. */
  settle(index: number, other: OtherText, take: boolean): void;
  /** The same for its translation. */
  typeTranslation(index: number, text: string | null): void;
  translate(index: number, text: string): void;
  /** At the caret; what stands before it, and the rest. */
  split(index: number, before: string, after: string): void;
  /** With the passage before it. */
  merge(index: number): void;
  /** null: removes the name. */
  name(index: number, name: string | null, reach: NameReach): void;
  /** The person says whether a speaker is who is suggested. */
  answer(suggestion: SpeakerSuggestion, yes: boolean): void;
  /** The form of a note of the segment opens; undefined where none are offered. */
  note?: ((segment: Segment) => void) | undefined;
}

/** What was found in one segment. */
export interface RowHits {
  text: readonly Hit[];
  translation: readonly Hit[];
}

/** Shared by all rows. */
export interface RowLook {
  position: PositionStore;
  /** Language codes of the transcription; a segment may have its own. */
  language: string;
  translationLanguage: string | null;
  view: TranscriptPreferences["view"];
  /** Whether there is audio to seek in, and a finished text to edit. */
  seekable: boolean;
  editable: boolean;
  actions: RowActions;
}

interface SegmentRowProps extends RowLook {
  segment: Segment;
  index: number;
  /** Of all segments. */
  count: number;
  /** The row's offset in the list, in px. */
  top: number;
  measure(row: HTMLElement | null): void;
  /** Scrolls it into view while it is spoken; undefined otherwise. */
  follow: ((row: HTMLElement | null) => void) | undefined;
  /** The class with the speaker's colour. */
  colour: string;
  /** Whether speaker or language differ from the previous segment's. */
  newSpeaker: boolean;
  newLanguage: boolean;
  /** Who the speaker may be, where they speak first; undefined elsewhere. */
  suggestion: SpeakerSuggestion | undefined;
  /** The editor's value; undefined while it is closed. */
  typed: string | undefined;
  typedTranslation: string | undefined;
  hits: RowHits;
  /** The current hit, when it is here. */
  current: Hit | undefined;
  /** The current word, by its time. */
  looked: number | undefined;
  /** What is noted of it. */
  notes: readonly RowNote[];
  /** Which element to focus, "edit", "time" or "note", a number (a new one repeats the request), and where the caret is to be in its field. */
  focus: string | undefined;
}

type PartProps = SegmentRowProps & { time: string };

const focused: Record<string, string> & { edit: string } = {
  time: "[data-time]",
  edit: "[data-edit], textarea",
  note: "[data-note-button]",
};

/** One segment: time, speaker, words (the spoken one is highlighted), translation, and in-place editing. */
export const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { segment, index, count, measure, follow, focus, view } = props;
  const target = segment.translationLanguage ?? props.translationLanguage;
  const part = { ...props, time: clock(segment.start) };
  const given = useRef<string>(undefined);
  const ref = useCallback(
    (row: HTMLElement | null) => {
      measure(row);
      follow?.(row);
      if (row === null || focus === undefined || focus === given.current) return;
      given.current = focus;
      const what = focused[focus.split(" ")[0] ?? ""] ?? focused.edit;
      const element = row.querySelector<HTMLElement>(what);
      element?.focus({ preventScroll: true });
      const caret = Number(focus.split(" ")[2]);
      if (element instanceof HTMLTextAreaElement && Number.isInteger(caret)) element.setSelectionRange(caret, caret);
    },
    [measure, follow, focus],
  );
  return (
    <li
      ref={ref}
      className={`${styles.segment} ${props.colour} ${follow ? styles.now : ""}`}
      style={{ insetBlockStart: props.top }}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
    >
      <Meta {...part} target={target} />
      <Time {...part} />
      {view === "translation" && target !== null && props.typed === undefined ? null : <Original {...part} />}
      <OtherTexts
        segment={segment}
        time={part.time}
        editable={props.editable}
        onSettle={(other, take) => props.actions.settle(index, other, take)}
      />
      {view === "original" || target === null ? null : (
        <Translation
          {...part}
          target={target}
          hits={props.hits.translation}
          typed={props.typedTranslation}
          onType={(text) => props.actions.typeTranslation(index, text)}
          onSave={(text) => props.actions.translate(index, text)}
        />
      )}
    </li>
  );
});

/** Speaker, source and target language, where they differ from the previous segment's. */
function Meta({ segment, index, language, target, time, ...props }: PartProps & { target: string | null }) {
  const { i18n, t } = useTranslation("app");
  const from = segment.language ?? language;
  const named = props.newSpeaker && segment.speaker !== undefined;
  if (!named && !props.newLanguage && !props.editable) return null;
  const name = (code: string) => languageName(code, i18n.language);
  return (
    <div className={`${styles.meta} ${named || props.newLanguage ? "" : styles.metaHidden}`}>
      <Speaker
        speaker={segment.speaker}
        shown={named}
        editable={props.editable}
        time={time}
        onName={(next, reach) => props.actions.name(index, next, reach)}
      />
      {props.suggestion !== undefined && named && props.editable ? (
        <Suggestion suggestion={props.suggestion} onAnswer={props.actions.answer} />
      ) : null}
      {props.newLanguage && from !== "auto" ? (
        <span className={styles.direction}>
          {target === null ? name(from) : t("transcript.direction", { from: name(from), to: name(target) })}
        </span>
      ) : null}
    </div>
  );
}

function Time({ segment, seekable, time, actions }: PartProps) {
  const { t } = useTranslation("app");
  if (!seekable) return <span className={styles.time}>{time}</span>;
  return (
    <button
      type="button"
      className={styles.time}
      data-time
      aria-label={t("transcript.playFrom", { time })}
      onClick={() => actions.seek(segment.start)}
    >
      {time}
    </button>
  );
}

const nowhere = () => () => {};

/** The text, or its editor. */
function Original({ segment, index, time, typed, actions, ...props }: PartProps) {
  const { t } = useTranslation("app");
  const { position, follow, language, editable } = props;
  const began = useRef(false);
  const spoken = useSyncExternalStore(follow ? position.subscribe : nowhere, () =>
    follow ? indexAt(segment.words, position.get()) : -1,
  );
  const isEdited = typed !== undefined && editable;
  const marks = useMemo(() => (isEdited ? writtenMarks(segment) : []), [isEdited, segment]);
  if (isEdited) {
    return (
      <Editor
        text={typed}
        marks={marks}
        label={t("transcript.editLabel", { time })}
        focus={began.current}
        onType={(text) => actions.type(index, text)}
        onCancel={() => actions.type(index, null)}
        onSave={(text) => actions.edit(index, text)}
        onSplit={(before, after) => actions.split(index, before, after)}
        onMerge={() => actions.merge(index)}
        isFirst={index === 0}
        onFocus={() => {
          began.current = true;
        }}
      />
    );
  }
  const spokenIn = segment.language ?? language;
  return (
    <>
      <p
        className={`${styles.text} ${segment.heard === undefined ? "" : styles.heard}`}
        title={segment.heard === undefined ? undefined : t("transcript.heard", { heard: segment.heard })}
        lang={spokenIn === "auto" ? undefined : spokenIn}
        dir="auto"
      >
        <Words
          segment={segment}
          spoken={spoken}
          looked={props.looked}
          hits={props.hits.text}
          current={props.current}
          notes={props.notes}
        />
      </p>
      {editable ? (
        <EditButton
          began={began}
          className={styles.edit}
          label={t("transcript.edit", { time })}
          data-edit
          onEdit={() => actions.type(index, segment.text)}
        />
      ) : null}
      {actions.note === undefined ? null : (
        <IconButton
          className={styles.note}
          icon="feedback"
          label={t("transcript.notes.add", { time })}
          data-note-button
          onClick={() => actions.note?.(segment)}
        />
      )}
    </>
  );
}
