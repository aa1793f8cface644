import { useTranslation } from "react-i18next";
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
}

/** Puts the caret at the end. */
function focusEnd(area: HTMLTextAreaElement | null): void {
  area?.focus({ preventScroll: true });
  area?.setSelectionRange(area.value.length, area.value.length);
}

/** Edits a text in place: Enter saves, Shift+Enter adds a line break, Escape cancels. */
export function Editor({ text, marks = noMarks, label, focus, maxLength = 20_000, onType, onSave, onCancel }: EditorProps) {
  const { t } = useTranslation("app");
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        onSave(text.trim());
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
        if (event.key === "Enter" && !event.shiftKey && !event.nativeEvent.isComposing) {
          event.preventDefault();
          event.currentTarget.requestSubmit();
        }
      }}
    >
      <textarea
        name="text"
        aria-label={label}
        value={text}
        rows={2}
        maxLength={maxLength}
        dir="auto"
        ref={focus ? focusEnd : undefined}
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
    </form>
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
