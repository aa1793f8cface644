import { type FocusEvent, memo, useCallback, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Segment, SpeakerSuggestion } from "#contract/index.ts";
import type { Hit } from "#machines/transcription/find/rules.ts";
import type { RowNote } from "#src/features/notes/row-notes.ts";
import { OtherTexts } from "#src/features/people/other-texts.tsx";
import { clock, languageName } from "#src/i18n/format.ts";
import { type InPlace, useEditingInPlace } from "#src/ui/editing-in-place.ts";
import { Editor } from "./editor.tsx";
import { writtenMarks } from "./marks.ts";
import { usePlayedIndex } from "./played.ts";
import type { RowHits, RowLook } from "./row.ts";
import { RowTools } from "./row-tools.tsx";
import styles from "./segment.module.css";
import { Speaker } from "./speaker.tsx";
import { Suggestion } from "./suggestion.tsx";
import { FoundText, Words } from "./words.tsx";

interface SegmentRowProps extends RowLook {
  segment: Segment;
  index: number;
  /** The number of all segments. */
  count: number;
  /** The row's offset in the list, in px. */
  top: number;
  measure(row: HTMLElement | null): void;
  /** Scrolls the row into view while it is played; undefined otherwise. */
  follow: ((row: HTMLElement | null) => void) | undefined;
  /** The class with the speaker's color. */
  colour: string;
  /** Whether speaker or language differ from the previous segment's. */
  newSpeaker: boolean;
  newLanguage: boolean;
  /** The suggested speaker, at the speaker's first segment; undefined elsewhere. */
  suggestion: SpeakerSuggestion | undefined;
  /** The value of the field; undefined while it is closed. */
  typed: string | undefined;
  typedTranslation: string | undefined;
  hits: RowHits;
  /** The current hit, if it is in this segment. */
  current: Hit | undefined;
  /** The start of the current unsure word. */
  looked: number | undefined;
  /** The segment's notes. */
  notes: readonly RowNote[];
  /**
   * A focus request: the element ("edit", "translation", "time" or "note"), a number (a new one repeats the request),
   * and the caret's offset in the field.
   */
  focus: string | undefined;
}

type PartProps = SegmentRowProps & { time: string; target: string | null; naming: InPlace };

const focused: Record<string, string> & { edit: string } = {
  time: "[data-time]",
  edit: "[data-field=text] textarea, [data-edit]",
  translation: "[data-field=translation] textarea, [data-edit-translation]",
  note: "[data-note-button]",
};

/** Executes each focus request once. */
function useFocusRequests(focus: string | undefined) {
  const given = useRef<string>(undefined);
  return useCallback(
    (row: HTMLElement) => {
      if (focus === undefined || focus === given.current) return;
      given.current = focus;
      const [what = "", , offset] = focus.split(" ");
      const element = row.querySelector<HTMLElement>(focused[what] ?? focused.edit);
      element?.focus({ preventScroll: true });
      const caret = Number(offset);
      if (element instanceof HTMLTextAreaElement && Number.isInteger(caret)) element.setSelectionRange(caret, caret);
    },
    [focus],
  );
}

/** One segment: time, speaker, words (the played one is highlighted), translation, and its tools. */
export const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { segment, index, count, measure, follow, view, actions } = props;
  const target = segment.translationLanguage ?? props.translationLanguage;
  const naming = useEditingInPlace();
  const part = { ...props, time: clock(segment.start), target, naming };
  const giveFocus = useFocusRequests(props.focus);
  const ref = useCallback(
    (row: HTMLElement | null) => {
      measure(row);
      follow?.(row);
      if (row !== null) giveFocus(row);
    },
    [measure, follow, giveFocus],
  );
  // The text is saved when the focus leaves the row.
  const onBlur = ({ relatedTarget, currentTarget }: FocusEvent) => {
    if (currentTarget.contains(relatedTarget)) return;
    const stays = currentTarget.contains(document.activeElement);
    if (props.typed !== undefined) actions.save(index, "text", props.typed.trim(), stays);
    if (props.typedTranslation !== undefined) actions.save(index, "translation", props.typedTranslation.trim(), stays);
  };
  return (
    <li
      ref={ref}
      className={`${styles.segment} ${props.colour} ${follow ? styles.now : ""}`}
      style={{ insetBlockStart: props.top }}
      data-index={index}
      aria-posinset={index + 1}
      aria-setsize={count}
      onBlur={onBlur}
    >
      <Meta {...part} />
      <Time {...part} />
      {view === "translation" && target !== null && props.typed === undefined ? null : <Original {...part} />}
      <OtherTexts
        segment={segment}
        time={part.time}
        editable={props.editable}
        onSettle={(other, take) => actions.settle(index, other, take)}
      />
      {view === "original" || target === null ? null : <Translation {...part} target={target} />}
      <RowTools {...part} />
    </li>
  );
});

/** Speaker, source and target language, if they differ from the previous segment's. */
function Meta({ segment, index, language, target, time, naming, ...props }: PartProps) {
  const { i18n, t } = useTranslation("app");
  const from = segment.language ?? language;
  const named = props.newSpeaker && segment.speaker !== undefined;
  if (!named && !props.newLanguage && !naming.editing) return null;
  const name = (code: string) => languageName(code, i18n.language);
  return (
    <div className={styles.meta}>
      <Speaker
        speaker={segment.speaker}
        shown={named}
        editable={props.editable}
        time={time}
        naming={naming}
        onName={(next, reach) => props.actions.name(index, next, reach)}
      />
      {props.suggestion !== undefined && named && props.editable ? (
        <Suggestion suggestion={props.suggestion} onAnswer={props.actions.answer} />
      ) : null}
      {props.newLanguage && from !== "auto" ? (
        <span className="soft">
          {target === null ? name(from) : t("transcript.direction", { from: name(from), to: name(target) })}
        </span>
      ) : null}
    </div>
  );
}

function Time({ segment, seekable, time, actions }: PartProps) {
  const { t } = useTranslation("app");
  if (!seekable) return <span className={`fine digits ${styles.time}`}>{time}</span>;
  return (
    <button
      type="button"
      className={`fine digits ${styles.time}`}
      data-time
      aria-label={t("transcript.playFrom", { time })}
      onClick={() => actions.seek(segment.start)}
    >
      {time}
    </button>
  );
}

/** The text, or the field that edits it. */
function Original({ segment, index, time, typed, actions, ...props }: PartProps) {
  const { t } = useTranslation("app");
  const { position, follow, language, editable } = props;
  const spoken = usePlayedIndex(segment.words, follow ? position : undefined);
  const isEdited = typed !== undefined && editable;
  const marks = useMemo(() => (isEdited ? writtenMarks(segment) : []), [isEdited, segment]);
  const spokenIn = segment.language ?? language;
  const lang = spokenIn === "auto" ? undefined : spokenIn;
  if (isEdited) {
    return (
      <div className={styles.text} lang={lang} data-field="text">
        <Editor
          text={typed}
          marks={marks}
          label={t("transcript.editLabel", { time })}
          onType={(text) => actions.type(index, "text", text)}
          onClose={(text) => actions.close(index, "text", text)}
          onSplit={(before, after) => actions.split(index, before, after)}
          onMerge={() => actions.merge(index)}
        />
      </div>
    );
  }
  return (
    <p
      className={`${styles.text} ${segment.heard === undefined ? "" : styles.heard}`}
      title={segment.heard === undefined ? undefined : t("transcript.heard", { heard: segment.heard })}
      lang={lang}
      dir="auto"
      data-field="text"
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
  );
}

/** The translation, or the field that edits it. */
function Translation({
  segment,
  index,
  time,
  target,
  typedTranslation: typed,
  actions,
  ...props
}: PartProps & { target: string }) {
  const { t } = useTranslation("app");
  return (
    <div className={styles.translation} lang={target} data-field="translation">
      {typed !== undefined && props.editable ? (
        <Editor
          text={typed}
          label={t("transcript.translationLabel", { time })}
          onType={(text) => actions.type(index, "translation", text)}
          onClose={(text) => actions.close(index, "translation", text)}
        />
      ) : (
        <p lang={target} dir="auto">
          <FoundText text={segment.translation ?? ""} hits={props.hits.translation} current={props.current} />
        </p>
      )}
    </div>
  );
}
