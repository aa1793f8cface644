import { useTranslation } from "react-i18next";
import { Button } from "#src/ui/button.tsx";
import styles from "./turns.module.css";
import type { Turn } from "./turns.ts";

interface TurnEditorProps {
  turn: Turn;
  /** @param corrections `index`: the segment within the turn */
  onSave(corrections: readonly { index: number; text: string }[]): void;
  onCancel(): void;
}

/** Focuses the field with the caret at its end. */
function focusEnd(area: HTMLTextAreaElement | null): void {
  area?.focus();
  area?.setSelectionRange(area.value.length, area.value.length);
}

/** Edits a turn's transcript by segment. Enter saves, Escape cancels. */
export function TurnEditor({ turn, onSave, onCancel }: TurnEditorProps) {
  const { t } = useTranslation("translator");
  return (
    <form
      className={`stack gap-2 ${styles.editor}`}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = new FormData(event.currentTarget).getAll("text");
        const texts = fields.map((field) => (typeof field === "string" ? field.trim() : ""));
        onSave(texts.flatMap((text, index) => (text === turn.segments[index]?.text.trim() ? [] : [{ index, text }])));
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") onCancel();
        if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
        if (!(event.target instanceof HTMLTextAreaElement)) return;
        event.preventDefault();
        event.currentTarget.requestSubmit();
      }}
    >
      {turn.segments.map((segment, index) => (
        <textarea
          // Segments have no id, so their times identify them.
          key={`${turn.id}-${segment.start}-${segment.end}`}
          name="text"
          lang={turn.sourceLanguage}
          aria-label={t("turn.editLabel", { number: index + 1 })}
          defaultValue={segment.text}
          rows={2}
          ref={index === 0 ? focusEnd : undefined}
        />
      ))}
      <div className={`row gap-1 ${styles.tools}`}>
        <Button type="submit" look="primary">
          {t("turn.save")}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {t("turn.cancel")}
        </Button>
      </div>
    </form>
  );
}
