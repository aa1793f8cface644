import { useSelector } from "@xstate/react";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { type Folder, filedNameLength, type Tag, tagColours } from "#contract/index.ts";
import { selectIsSaving } from "#machines/filing/machine.ts";
import type { FilingEdit } from "#machines/filing/rules.ts";
import { Button } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import type { OpenFiling } from "./actor.ts";
import styles from "./filing.module.css";

/** The item to edit; `item` null: a new one. */
export type Edited = { kind: "folder"; item: Folder | null } | { kind: "tag"; item: Tag | null };

interface EditFormProps {
  filing: OpenFiling;
  edited: Edited;
  /** @param element the pressed button */
  onCancel(element: Element): void;
}

/** The typed values; null without a name. */
function editOf({ kind, item }: Edited, values: FormData): FilingEdit | null {
  const name = String(values.get("name") ?? "").trim();
  if (name === "") return null;
  const id = item?.id ?? null;
  if (kind === "folder") return { kind, id, draft: { name } };
  return { kind, id, draft: { name, colour: tagColours.find((one) => one === values.get("colour")) ?? tagColours[0] } };
}

/** The form for a folder's name, or for a tag's name and color. */
export function EditForm({ filing, edited, onCancel }: EditFormProps) {
  const { t } = useTranslation("filing");
  const isSaving = useSelector(filing.list, selectIsSaving);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const edit = editOf(edited, new FormData(event.currentTarget));
    if (edit !== null) filing.list.send({ type: "edit.requested", edit });
  };
  return (
    <form className={`stack gap-4 ${styles.form}`} onSubmit={submit}>
      <TextField
        label={t("dialog.name")}
        name="name"
        defaultValue={edited.item?.name ?? ""}
        maxLength={filedNameLength}
        required
        autoFocus
        autoComplete="off"
      />
      {edited.kind === "tag" ? (
        <fieldset className={`row gap-4 ${styles.colours}`}>
          <legend>{t("dialog.colour")}</legend>
          {tagColours.map((colour) => (
            <label key={colour} className={styles.colour}>
              <input type="radio" name="colour" value={colour} defaultChecked={colour === (edited.item?.colour ?? "blue")} />
              <span className={styles.dot} data-colour={colour} />
              {t(`colours.${colour}`)}
            </label>
          ))}
        </fieldset>
      ) : null}
      <div className="row at-end">
        <Button look="quiet" onClick={({ currentTarget }) => onCancel(currentTarget)}>
          {t("dialog.cancel")}
        </Button>
        <Button type="submit" look="primary" busy={isSaving}>
          {t("dialog.save")}
        </Button>
      </div>
    </form>
  );
}
