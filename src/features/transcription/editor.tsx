import { type KeyboardEvent, useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { passageLength } from "#contract/index.ts";
import { Button } from "#src/ui/button.tsx";
import { putBack, type WrittenMark } from "./marks.ts";
import styles from "./segment.module.css";

const noMarks: readonly WrittenMark[] = [];

interface EditorProps {
  /** The field's value: stored outside, so that it survives a reload and being scrolled out of the list. */
  text: string;
  label: string;
  /** What is written differently than it was heard; each can be put back. */
  marks?: readonly WrittenMark[];
  /** Focused when it appears. */
  focus: boolean;
  /** Maximum length in characters; default: that of a segment. */
  maxLength?: number;
  onType(text: string): void;
  onSave(text: string): void;
  onCancel(): void;
  /** At the caret, which may be at the text's end. Absent where there are no passages. */
  onSplit?(before: string, after: string): void;
  /** With the passage before. */
  onMerge?(): void;
  onFocus?(): void;
  /** There is no passage before. */
  isFirst?: boolean;
}

/** Puts the caret at the end. */
function focusEnd(area: HTMLTextAreaElement | null): void {
  area?.focus({ preventScroll: true });
  area?.setSelectionRange(area.value.length, area.value.length);
}

/** The text before and after the caret. */
function partsAt({ value, selectionStart }: HTMLTextAreaElement): [before: string, after: string] {
  return [value.slice(0, selectionStart).trim(), value.slice(selectionStart).trim()];
}

/** Safari ends a composition before the Enter that ends it, whose code is 229. */
const isComposing = ({ nativeEvent }: KeyboardEvent): boolean => nativeEvent.isComposing || nativeEvent.keyCode === 229;

/** What a key does in a field of a passage: Enter amid the text splits, at its ends it saves; Backspace at the start merges. */
function actionOf(event: KeyboardEvent, area: HTMLTextAreaElement, splits: boolean): "save" | "split" | "merge" | undefined {
  const { key, shiftKey, altKey, ctrlKey, metaKey, repeat } = event;
  if (isComposing(event) || altKey) return undefined;
  if (key === "Enter" && !shiftKey) {
    const isAmid = partsAt(area).every((part) => part !== "");
    return splits && isAmid && !ctrlKey && !metaKey ? "split" : "save";
  }
  const isAtStart = area.selectionStart === 0 && area.selectionEnd === 0;
  // A key that is held to delete ends there.
  return key === "Backspace" && splits && isAtStart && !repeat && !ctrlKey && !metaKey && !shiftKey ? "merge" : undefined;
}

/**
 * Edits a text in place: Enter saves, Shift+Enter adds a line break, Escape cancels. In a passage, Enter amid the text splits it there
 * (Ctrl+Enter saves), and Backspace at its start merges it with the one before.
 */
export function Editor({ text, marks = noMarks, label, focus, maxLength = passageLength, ...on }: EditorProps) {
  const { t } = useTranslation("app");
  const area = useRef<HTMLTextAreaElement>(null);
  const [focusesFirst] = useState(focus);
  const ref = useCallback(
    (element: HTMLTextAreaElement | null) => {
      area.current = element;
      if (focusesFirst) focusEnd(element);
    },
    [focusesFirst],
  );
  const { onType, onSave, onCancel, onSplit, onMerge, onFocus, isFirst } = on;
  const split = () => {
    if (area.current !== null) onSplit?.(...partsAt(area.current));
  };
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !isComposing(event)) onCancel();
        if (event.target !== area.current || area.current === null) return;
        const action = actionOf(event, area.current, onSplit !== undefined);
        if (action === undefined) return;
        event.preventDefault();
        if (action === "split") split();
        else if (action === "merge") onMerge?.();
        else event.currentTarget.requestSubmit();
      }}
    >
      <textarea
        name="text"
        aria-label={label}
        value={text}
        rows={2}
        maxLength={maxLength}
        dir="auto"
        ref={ref}
        onFocus={onFocus}
        onChange={(event) => onType(event.target.value)}
      />
      <Marks text={text} marks={marks} onSave={onSave} />
      <div className={styles.editorActions}>
        <Button type="submit" look="primary">
          {t("transcript.saveText")}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t("transcript.cancelEdit")}
        </Button>
      </div>
      {onSplit === undefined ? null : <PassageActions onSplit={split} onMerge={isFirst ? undefined : onMerge} />}
    </form>
  );
}

/** For those who don't know the keys, which they are told. */
function PassageActions({ onSplit, onMerge }: { onSplit(): void; onMerge: (() => void) | undefined }) {
  const { t } = useTranslation("app");
  return (
    <div className={styles.passageActions}>
      <button type="button" title={t("transcript.splitKey")} onClick={onSplit}>
        {t("transcript.split")} <kbd>↵</kbd>
      </button>
      {onMerge === undefined ? null : (
        <button type="button" title={t("transcript.mergeKey")} onClick={onMerge}>
          {t("transcript.merge")} <kbd>⌫</kbd>
        </button>
      )}
    </div>
  );
}

/** A button for each mark that is still in the text. */
function Marks({ text, marks, onSave }: Pick<EditorProps, "text" | "onSave"> & { marks: readonly WrittenMark[] }) {
  const { t } = useTranslation("app");
  const buttons = marks.flatMap((mark) => {
    const before = putBack(text, mark);
    return before === null ? [] : [{ mark, before }];
  });
  if (buttons.length === 0) return null;
  return (
    <ul className={styles.marks} aria-label={t("transcript.written")}>
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
