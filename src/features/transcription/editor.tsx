import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { passageLength } from "#contract/index.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./editor.module.css";
import { putBack, type WrittenMark } from "./marks.ts";

const noMarks: readonly WrittenMark[] = [];

interface EditorProps {
  /** The field's value. Stored outside, so that it survives a reload, and scrolling out of the list. */
  text: string;
  label: string;
  /** Words that are written differently from what was recognized. Each can be reverted. */
  marks?: readonly WrittenMark[];
  /** Maximum length in characters; default: a segment's maximum. */
  maxLength?: number;
  onType(text: string): void;
  /** Closed by a key: saves the text, or discards it (null). The parent handles a blur. */
  onClose(text: string | null): void;
  /** Splits at the caret, which may be at the text's end. Absent if the text has no passages. */
  onSplit?(before: string, after: string): void;
  /** Merges the passage with the previous one. */
  onMerge?(): void;
}

/** The text before and after the caret. */
export function partsAt({ value, selectionStart }: HTMLTextAreaElement): [before: string, after: string] {
  return [value.slice(0, selectionStart).trim(), value.slice(selectionStart).trim()];
}

/** Safari ends a composition before the Enter key that ends it. That key has the code 229. */
const isComposing = ({ nativeEvent }: KeyboardEvent): boolean => nativeEvent.isComposing || nativeEvent.keyCode === 229;

/**
 * The action of a key in a passage's field. Enter splits inside the text, and saves at its ends. Backspace at the start
 * merges.
 */
function actionOf(
  event: KeyboardEvent,
  area: HTMLTextAreaElement,
  splits: boolean,
): "cancel" | "save" | "split" | "merge" | undefined {
  const { key, shiftKey, altKey, ctrlKey, metaKey, repeat } = event;
  if (isComposing(event)) return undefined;
  if (key === "Escape") return "cancel";
  if (altKey) return undefined;
  if (key === "Enter" && !shiftKey) {
    const isAmid = partsAt(area).every((part) => part !== "");
    return splits && isAmid && !ctrlKey && !metaKey ? "split" : "save";
  }
  const isAtStart = area.selectionStart === 0 && area.selectionEnd === 0;
  // A key that is held down to delete stops at the start, without merging.
  return key === "Backspace" && splits && isAtStart && !repeat && !ctrlKey && !metaKey && !shiftKey ? "merge" : undefined;
}

/**
 * A field that edits a text in place, with the same line breaks. Enter saves, Shift+Enter adds a line break, Escape
 * discards. In a passage, Enter inside the text splits it (Ctrl+Enter saves), and Backspace at its start merges it with
 * the previous one.
 */
export function Editor({ text, label, marks = noMarks, maxLength = passageLength, ...on }: EditorProps) {
  const { onType, onClose, onSplit, onMerge } = on;
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    const action = actionOf(event, event.currentTarget, onSplit !== undefined);
    if (action === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const [before, after] = partsAt(event.currentTarget);
    if (action === "split") onSplit?.(before, after);
    else if (action === "merge") onMerge?.();
    else onClose(action === "save" ? text.trim() : null);
  };
  return (
    <div className={styles.editor}>
      <textarea
        name="text"
        aria-label={label}
        value={text}
        rows={1}
        maxLength={maxLength}
        dir="auto"
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {/* A copy of the text gives the field its height. notes/selection.ts measures words on it. */}
      <div className={styles.measure} aria-hidden="true" dir="auto">{`${text} `}</div>
      <Marks text={text} marks={marks} onSave={onClose} />
    </div>
  );
}

/** A button for each mark that is still in the text. */
function Marks({ text, marks, onSave }: { text: string; marks: readonly WrittenMark[]; onSave(text: string): void }) {
  const { t } = useTranslation("app");
  const buttons = marks.flatMap((mark) => {
    const before = putBack(text, mark);
    return before === null ? [] : [{ mark, before }];
  });
  if (buttons.length === 0) return null;
  return (
    <ul className={`stack gap-1 size-1 ${styles.marks}`} aria-label={t("transcript.written")}>
      {buttons.map(({ mark, before }) => (
        <li key={`${mark.from}:${mark.text}`}>
          <strong>{mark.text}</strong>
          <Button look="quiet" icon="undo" onClick={() => onSave(before.trim())}>
            {t("transcript.putBack", { heard: mark.heard })}
          </Button>
        </li>
      ))}
    </ul>
  );
}
