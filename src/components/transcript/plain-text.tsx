import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
import { useEditingInPlace } from "../../ui/focus.ts";
import { Editor } from "./editor.tsx";
import styles from "./transcript.module.css";

interface PlainTextProps {
  text: string;
  /** Left out while it can't be corrected. */
  onEdit: ((text: string) => void) | undefined;
}

/** A text without times. */
export function PlainText({ text, onEdit }: PlainTextProps) {
  const { t } = useTranslation("app");
  const { editing, begin, end, opener } = useEditingInPlace();
  if (editing && onEdit) {
    return (
      <Editor
        text={text}
        label={t("transcript.textLabel")}
        onCancel={end}
        onSave={(next) => {
          end();
          if (next !== text) onEdit(next);
        }}
      />
    );
  }
  return (
    <div className={styles.plainFrame}>
      {text ? <p className={styles.plain}>{text}</p> : null}
      {onEdit ? (
        <Button ref={opener} icon="edit" onClick={begin}>
          {t(text ? "transcript.editText" : "transcript.writeText")}
        </Button>
      ) : null}
    </div>
  );
}
