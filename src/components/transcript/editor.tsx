import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import styles from "./segments.module.css";

interface EditorProps {
  text: string;
  label: string;
  onSave(text: string): void;
  onCancel(): void;
}

/** The caret goes behind the last character. */
function focusEnd(area: HTMLTextAreaElement | null): void {
  area?.focus();
  area?.setSelectionRange(area.value.length, area.value.length);
}

/** Corrects a text in place: Enter saves, Shift and Enter begins a line, Escape leaves it as it was. */
export function Editor({ text, label, onSave, onCancel }: EditorProps) {
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
      <textarea name="text" aria-label={label} defaultValue={text} rows={2} ref={focusEnd} />
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
