import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../ui/button.tsx";
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
  const [editing, setEditing] = useState(false);
  if (editing && onEdit) {
    return (
      <Editor
        text={text}
        label={t("transcript.textLabel")}
        onCancel={() => setEditing(false)}
        onSave={(next) => {
          setEditing(false);
          if (next !== text) onEdit(next);
        }}
      />
    );
  }
  return (
    <div className={styles.plainFrame}>
      {text ? <p className={styles.plain}>{text}</p> : null}
      {onEdit ? (
        <Button icon="edit" onClick={() => setEditing(true)}>
          {t(text ? "transcript.editText" : "transcript.writeText")}
        </Button>
      ) : null}
    </div>
  );
}
