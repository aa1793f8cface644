import { memo, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { Segment } from "../../api/contract/index.ts";
import { indexAt, type PositionStore } from "../../audio/position.ts";
import { clock } from "../../i18n/format.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import styles from "./segments.module.css";

/** Below this posterior a word is marked as one to check. */
const unsureBelow = 0.3;

interface WordsProps {
  segment: Segment;
  /** The index of the word being spoken, -1 for none. */
  spoken: number;
}

function Words({ segment, spoken }: WordsProps) {
  if (segment.words.length === 0) return segment.text;
  return segment.words.map((word, index) => (
    // The space stands outside the word, so that the mark fits it.
    <span key={`${word.start}:${word.text}`}>
      <span
        data-start={word.start}
        className={[
          styles.word,
          index === spoken ? styles.spoken : "",
          word.confidence !== undefined && word.confidence < unsureBelow ? styles.unsure : "",
        ].join(" ")}
      >
        {word.text}
      </span>{" "}
    </span>
  ));
}

interface EditorProps {
  text: string;
  label: string;
  onSave(text: string): void;
  onCancel(): void;
}

function Editor({ text, label, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation("app");
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(String(new FormData(event.currentTarget).get("text") ?? "").trim());
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
        if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }
      }}
    >
      <textarea name="text" aria-label={label} defaultValue={text} rows={2} ref={(area) => area?.focus()} />
      <div className={styles.editorActions}>
        <Button type="submit" look="primary">
          {t("transcript.saveText")}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t("transcript.cancelEdit")}
        </Button>
      </div>
    </form>
  );
}

interface SegmentRowProps {
  segment: Segment;
  index: number;
  position: PositionStore;
  /** Where the next segment begins, in seconds: until then this one is the one being spoken. */
  until: number;
  language: string;
  translationLanguage: string | null;
  onSeek(seconds: number): void;
  onEdit(index: number, text: string): void;
}

/** One segment: its time, its words (the one being spoken is marked), its translation, and its correction in place. */
export const SegmentRow = memo(function SegmentRow(props: SegmentRowProps) {
  const { segment, index, position, until, onSeek, onEdit } = props;
  const { t } = useTranslation("app");
  const [editing, setEditing] = useState(false);
  const spoken = useSyncExternalStore(position.subscribe, () => {
    const at = position.get();
    return at > 0 && at >= segment.start && at < until ? indexAt(segment.words, at) : -1;
  });
  const time = clock(segment.start);
  return (
    <li className={`${styles.segment} ${spoken >= 0 ? styles.now : ""}`} data-segment={index}>
      <button
        type="button"
        className={styles.time}
        aria-label={t("transcript.playFrom", { time })}
        onClick={() => onSeek(segment.start)}
      >
        {time}
      </button>
      {editing ? (
        <Editor
          text={segment.text}
          label={t("transcript.editLabel", { time })}
          onCancel={() => setEditing(false)}
          onSave={(text) => {
            setEditing(false);
            if (text !== segment.text) onEdit(index, text);
          }}
        />
      ) : (
        <p className={styles.text} lang={props.language}>
          <Words segment={segment} spoken={spoken} />
        </p>
      )}
      {props.translationLanguage ? (
        <p className={styles.translation} lang={props.translationLanguage}>
          {segment.translation ?? ""}
        </p>
      ) : null}
      {editing ? null : (
        <IconButton className={styles.edit} icon="edit" label={t("transcript.edit", { time })} onClick={() => setEditing(true)} />
      )}
    </li>
  );
});
