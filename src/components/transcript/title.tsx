import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../ui/button.tsx";
import styles from "./transcript.module.css";

/** The title, and its renaming in place: Enter saves, Escape leaves it as it was. */
export function Title({ title, onRename }: { title: string; onRename(title: string): void }) {
  const { t } = useTranslation("app");
  const [editing, setEditing] = useState(false);
  if (!editing) {
    return (
      <div className={styles.titleLine}>
        <h1 tabIndex={-1}>{title}</h1>
        <IconButton icon="edit" label={t("transcript.rename")} onClick={() => setEditing(true)} />
      </div>
    );
  }
  return (
    <form
      className={styles.titleForm}
      onSubmit={(event) => {
        event.preventDefault();
        const next = String(new FormData(event.currentTarget).get("title") ?? "").trim();
        setEditing(false);
        if (next && next !== title) onRename(next);
      }}
    >
      <input
        name="title"
        aria-label={t("transcript.titleLabel")}
        defaultValue={title}
        maxLength={300}
        required
        ref={(input) => input?.focus()}
        onKeyDown={(event) => {
          if (event.key === "Escape") setEditing(false);
        }}
      />
      <Button type="submit" look="primary">
        {t("transcript.saveTitle")}
      </Button>
      <Button look="quiet" onClick={() => setEditing(false)}>
        {t("transcript.cancelEdit")}
      </Button>
    </form>
  );
}
