import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import styles from "./segment.module.css";

interface EditorProps {
  /** What stands in the field: kept outside, so that neither a reload nor scrolling it away loses it. */
  text: string;
  label: string;
  /** It takes the focus when it appears. */
  focus: boolean;
  /** In letters; default what a segment may have. */
  maxLength?: number;
  onType(text: string): void;
  onSave(text: string): void;
  onCancel(): void;
}

/** The caret goes behind the last character. */
function focusEnd(area: HTMLTextAreaElement | null): void {
  area?.focus({ preventScroll: true });
  area?.setSelectionRange(area.value.length, area.value.length);
}

/** Corrects a text in place: Enter saves, Shift and Enter begins a line, Escape leaves it as it was. */
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
