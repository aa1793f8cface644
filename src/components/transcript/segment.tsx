import { memo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Segment, Word } from "../../api/contract/index.ts";
import { indexAt, type PositionStore } from "../../audio/position.ts";
import { clock } from "../../i18n/format.ts";
import { IconButton } from "../../ui/button.tsx";
import { useEditingInPlace } from "../../ui/focus.ts";
import { Editor } from "./editor.tsx";
import styles from "./segments.module.css";

/** Below this posterior a word is marked as one to check. */
const unsureBelow = 0.3;
const isUnsure = ({ confidence }: Word): boolean => confidence !== undefined && confidence < unsureBelow;

interface WordsProps {
  segment: Segment;
  /** The index of the word being spoken, -1 for none. */
  spoken: number;
}

function Words({ segment, spoken }: WordsProps) {
  const { t } = useTranslation("app");
  if (segment.words.length === 0) return segment.text;
  return segment.words.map((word, index) => (
    // The space stands outside the word, so that the mark fits it.
    <span key={`${word.start}:${word.text}`}>
      <span
        data-start={word.start}
        className={[styles.word, index === spoken ? styles.spoken : "", isUnsure(word) ? styles.unsure : ""].join(" ")}
        title={isUnsure(word) ? t("transcript.unsure") : undefined}
      >
        {word.text}
      </span>{" "}
    </span>
  ));
}

interface SegmentRowProps {
  segment: Segment;
  index: number;
  position: PositionStore;
  /** Where the next segment begins, in seconds: until then this one is the one being spoken. */
  until: number;
  language: string;
  translationLanguage: string | null;
  /** There is audio to go to; and a finished text to correct. */
  seekable: boolean;
  editable: boolean;
  onSeek(seconds: number): void;
  onEdit(index: number, text: string): void;
}

/** How far out of sight (px) the text may be that the reader still seems to follow. */
const followDistance = 320;

/** Follows the voice, unless the reader is looking elsewhere. */
function keepInSight(row: HTMLElement | null): void {
  if (row === null) return;
  const { top, bottom } = row.getBoundingClientRect();
  if (bottom > -followDistance && top < innerHeight + followDistance) row.scrollIntoView({ block: "nearest" });
}

/** One segment: its time, its words (the one being spoken is marked), its translation, and its correction in place. */
export const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { segment, index, position, until, onSeek, onEdit } = props;
  const { t } = useTranslation("app");
  const { editing, begin, end, opener } = useEditingInPlace();
  const spoken = useSyncExternalStore(position.subscribe, () => {
    const at = position.get();
    return at > 0 && at >= segment.start && at < until ? indexAt(segment.words, at) : -1;
  });
  const time = clock(segment.start);
  return (
    <li
      className={`${styles.segment} ${spoken >= 0 ? styles.now : ""}`}
      data-segment={index}
      ref={spoken >= 0 ? keepInSight : undefined}
    >
      {props.seekable ? (
        <button
          type="button"
          className={styles.time}
          aria-label={t("transcript.playFrom", { time })}
          onClick={() => onSeek(segment.start)}
        >
          {time}
        </button>
      ) : (
        <span className={styles.time}>{time}</span>
      )}
      {editing ? (
        <Editor
          text={segment.text}
          label={t("transcript.editLabel", { time })}
          onCancel={end}
          onSave={(text) => {
            end();
            if (text !== segment.text) onEdit(index, text);
          }}
        />
      ) : (
        <p className={styles.text} lang={props.language === "auto" ? undefined : props.language}>
          <Words segment={segment} spoken={spoken} />
        </p>
      )}
      {props.translationLanguage ? (
        <p className={styles.translation} lang={props.translationLanguage}>
          {segment.translation ?? ""}
        </p>
      ) : null}
      {editing || !props.editable ? null : (
        <IconButton ref={opener} className={styles.edit} icon="edit" label={t("transcript.edit", { time })} onClick={begin} />
      )}
    </li>
  );
});
