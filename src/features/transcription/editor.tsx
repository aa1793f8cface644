import type { KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { passageLength } from "#contract/index.ts";
import { Button } from "#src/ui/button.tsx";
import styles from "./editor.module.css";
import { putBack, type WrittenMark } from "./marks.ts";

const noMarks: readonly WrittenMark[] = [];

interface EditorProps {
  /** The field's value: stored outside, so that it survives a reload and being scrolled out of the list. */
  text: string;
  label: string;
  /** What is written differently than it was heard; each can be put back. */
  marks?: readonly WrittenMark[];
  /** Maximum length in characters; default: that of a segment. */
  maxLength?: number;
  onType(text: string): void;
  /** By key: with the text, or without it (null). Who leaves the field is the business of what it stands in. */
  onClose(text: string | null): void;
  /** At the caret, which may be at the text's end. Absent where there are no passages. */
  onSplit?(before: string, after: string): void;
  /** With the passage before. */
  onMerge?(): void;
}

/** The text before and after the caret. */
export function partsAt({ value, selectionStart }: HTMLTextAreaElement): [before: string, after: string] {
  return [value.slice(0, selectionStart).trim(), value.slice(selectionStart).trim()];
}

/** Safari ends a composition before the Enter that ends it, whose code is 229. */
const isComposing = ({ nativeEvent }: KeyboardEvent): boolean => nativeEvent.isComposing || nativeEvent.keyCode === 229;

/** What a key does in a field of a passage: Enter amid the text splits, at its ends it saves; Backspace at the start merges. */
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
  // A key that is held to delete ends there.
  return key === "Backspace" && splits && isAtStart && !repeat && !ctrlKey && !metaKey && !shiftKey ? "merge" : undefined;
}

/**
 * A text that is typed in where it stands, line for line as it is read. Enter saves, Shift+Enter adds a line break,
 * Escape leaves it as it was. In a passage, Enter amid the text splits it there (Ctrl+Enter saves), and Backspace at
 * its start merges it with the one before.
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
      {/* As high as the text in it; where its words are is asked of this (notes/selection.ts). */}
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
