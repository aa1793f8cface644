import { useTranslation } from "react-i18next";
import { Button, IconButton } from "#src/ui/button.tsx";
import { claimFocus } from "#src/ui/claim-focus.ts";
import { useEditingInPlace } from "#src/ui/editing-in-place.ts";
import styles from "./transcript.module.css";

/** Selects the title, so that typing replaces it and an arrow key starts editing. */
const select = (input: HTMLInputElement | null) => input?.select();

interface TitleProps {
  title: string;
  /** Undefined: the transcript belongs to another user. */
  onRename: ((title: string) => void) | undefined;
}

/** The title, editable in place. Enter saves, Escape cancels. */
export function Title({ title, onRename }: TitleProps) {
  const { t } = useTranslation("app");
  const { editing, begin, end, opener } = useEditingInPlace();
  if (!editing || onRename === undefined) {
    return (
      <div className={`line gap-1 grow ${styles.titleLine}`}>
        <h1 ref={claimFocus} tabIndex={-1} title={title}>
          {title}
        </h1>
        {onRename === undefined ? null : <IconButton ref={opener} icon="edit" label={t("transcript.rename")} onClick={begin} />}
      </div>
    );
  }
  return (
    <form
      className={`line grow ${styles.titleForm}`}
      onSubmit={(event) => {
        event.preventDefault();
        const next = String(new FormData(event.currentTarget).get("title") ?? "").trim();
        end();
        if (next && next !== title) onRename(next);
      }}
    >
      <input
        name="title"
        aria-label={t("transcript.titleLabel")}
        defaultValue={title}
        maxLength={300}
        required
        ref={select}
        onKeyDown={(event) => {
          if (event.key === "Escape") end();
        }}
      />
      <Button type="submit" look="primary">
        {t("transcript.saveTitle")}
      </Button>
      <Button look="quiet" onClick={end}>
        {t("transcript.cancelEdit")}
      </Button>
    </form>
  );
}
