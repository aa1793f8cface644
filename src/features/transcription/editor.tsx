import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import styles from "./segment.module.css";

interface EditorProps {
  /** The field's value: stored outside, so that it survives a reload and being scrolled out of the list. */
  text: string;
  label: string;
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
export function Editor({ text, label, focus, maxLength = 20_000, onType, onSave, onCancel }: EditorProps) {
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
