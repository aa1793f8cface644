import { useSelector } from "@xstate/react";
import { type SubmitEvent, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import {
  selectMayRetry,
  selectPicture,
  selectPictureCode,
  selectPictureName,
  selectPictureState,
} from "#machines/blog-admin/picture-upload.ts";
import { selectValues } from "#machines/blog-admin/post-editor/selectors.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import { TextField } from "#src/ui/field.tsx";
import { sizedPicture } from "#src/ui/markdown/addresses.ts";
import { Progress } from "#src/ui/progress.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import styles from "./editor.module.css";
import { altEdit, altOf, pictureMarkdown, placesEdit } from "./picture-places.ts";
import type { PictureRow, PictureUse, PostPictures } from "./pictures.ts";
import { type OpenEditor, placeWords } from "./post-editor-actor.ts";

/** Whether pictures are still uploading. Publishing waits for them. */
export function usePicturesAreSending(pictures: PostPictures): boolean {
  return useSyncExternalStore(pictures.subscribe, pictures.isSending);
}

/** The added pictures with their progress, alternative text, and errors. */
export function PictureRows({ editor, use }: { editor: OpenEditor; use: PictureUse }) {
  const { t } = useTranslation("blog-admin");
  const rows = useSyncExternalStore(editor.pictures.subscribe, editor.pictures.list).filter((row) => row.use === use);
  if (rows.length === 0) return null;
  return (
    <ul className="stack gap-2" aria-label={t("pictures.label")}>
      {rows.map((row) => (
        <li key={row.id}>
          <Row editor={editor} row={row} />
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  editor: OpenEditor;
  row: PictureRow;
}

function Row({ editor, row }: RowProps) {
  const { t } = useTranslation("blog-admin");
  const state = useSelector(row.actor, selectPictureState);
  const name = useSelector(row.actor, selectPictureName);
  return (
    <div className={`card stack gap-2 ${styles.picture}`}>
      <div className={styles.pictureHead}>
        <span className={`size-1 cut ${styles.pictureName}`}>{name}</span>
        {state === "sending" ? (
          <>
            <Sent row={row} name={name} />
            <Button look="quiet" onClick={() => row.actor.send({ type: "cancel.requested" })}>
              {t("pictures.cancel")}
            </Button>
          </>
        ) : (
          <IconButton
            icon="close"
            label={t("pictures.putAside", { name })}
            onClick={() => (state === "arrived" ? editor.pictures.dismiss(row.id) : row.actor.send({ type: "cancel.requested" }))}
          />
        )}
      </div>
      <Trouble row={row} />
      {row.use === "text" ? <AltText editor={editor} row={row} name={name} /> : null}
    </div>
  );
}

function Sent({ row, name }: { row: PictureRow; name: string }) {
  const { t } = useTranslation("blog-admin");
  const fraction = useSyncExternalStore(row.sent.subscribe, row.sent.get);
  return <Progress label={t("pictures.progress", { name })} fraction={fraction === 0 ? undefined : fraction} />;
}

/** Shown when the upload failed, or a placeholder replaces the picture. The browser still has the file. */
function Trouble({ row: { actor } }: { row: PictureRow }) {
  const { t } = useTranslation("blog-admin");
  const state = useSelector(actor, selectPictureState);
  const code = useSelector(actor, selectPictureCode);
  const mayRetry = useSelector(actor, selectMayRetry);
  if (state !== "failed" && state !== "placeholder") return null;
  const retry = () => actor.send({ type: "retry.requested" });
  return (
    <RetryNotice label={t("retry")} onRetry={mayRetry && retry}>
      <strong>{t("failed.upload")}</strong>
      <p>
        {t(
          state === "placeholder"
            ? "pictures.placeholder"
            : code === "tooLarge"
              ? "pictures.tooLarge"
              : `errors.${code ?? "internal"}`,
        )}
      </p>
    </RetryNotice>
  );
}

/** The picture's alternative text, which the Markdown text contains. */
function AltText({ editor, row, name }: RowProps & { name: string }) {
  const { t } = useTranslation("blog-admin");
  const { content } = useSelector(editor.actor, selectValues);
  const picture = useSelector(row.actor, selectPicture);
  const alt = altOf(content, row.id, picture?.url ?? null, placeWords(name));
  if (alt === null) {
    if (picture === null) return null;
    const markdown = pictureMarkdown(sizedPicture(picture.url, picture), "");
    return (
      <Button onClick={() => editor.text.edit((text) => placesEdit(text, editor.text.selection(), [markdown]))}>
        {t("pictures.insert")}
      </Button>
    );
  }
  const keep = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get("alt") ?? "");
    editor.text.edit((text) => altEdit(text, row.id, picture?.url ?? null, typed));
  };
  return (
    <form className={styles.alt} onSubmit={keep} key={alt}>
      <TextField
        name="alt"
        label={t("pictures.alt")}
        hint={t("pictures.altHint")}
        defaultValue={alt}
        maxLength={300}
        autoComplete="off"
      />
      <Button type="submit">{t("pictures.altKeep")}</Button>
    </form>
  );
}
