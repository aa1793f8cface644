import { useSelector } from "@xstate/react";
import { useCallback, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { filingLimits } from "#contract/index.ts";
import { selectAllTags, selectFailure, selectFolders, selectIsSaving } from "#machines/filing/machine.ts";
import { Button, IconButton } from "#src/ui/button.tsx";
import dialogStyles from "#src/ui/dialog.module.css";
import { lazyPart } from "#src/ui/lazy-part.tsx";
import type { OpenFiling } from "./actor.ts";
import { type Edited, EditForm } from "./edit-form.tsx";
import styles from "./filing.module.css";
import { Glyph } from "./glyphs.tsx";

/** Loaded with its texts when the user opens it. */
const RetentionForm = lazyPart(async () => (await import("#src/features/retention/form.tsx")).RetentionForm, "retention");

type View =
  | { type: "list" }
  | { type: "form"; edited: Edited }
  | { type: "deletion"; edited: Edited }
  /** How long a folder's transcripts are kept. `folderId` null: transcripts without a folder. */
  | { type: "retention"; folderId: string | null; name: string };

interface FilingDialogProps {
  filing: OpenFiling;
  /** Only creates one such item, and passes its id to `onMade`. */
  making?: "folder" | "tag";
  onMade?(id: string): void;
  onClose(): void;
}

const closest = (element: Element) => element.closest("dialog")?.close();
const list: View = { type: "list" };

/** The dialog that creates, renames, recolors and deletes folders and tags. */
export function FilingDialog({ filing, making, onMade, onClose }: FilingDialogProps) {
  const { t } = useTranslation("filing");
  const id = useId();
  const [view, setView] = useState<View>(making === undefined ? list : { type: "form", edited: { kind: making, item: null } });
  const listen = useCallback(
    (dialog: HTMLDialogElement | null) => {
      if (dialog === null) return undefined;
      if (!dialog.open) dialog.showModal();
      const saved = filing.list.on("edit.saved", ({ id: made }) => {
        if (making === undefined) return setView(list);
        onMade?.(made);
        dialog.close();
      });
      return () => saved.unsubscribe();
    },
    [filing, making, onMade],
  );
  const showList = useCallback(() => setView(list), []);
  const leave = () => {
    filing.list.send({ type: "failure.dismissed" });
    setView(list);
  };
  return (
    <dialog
      ref={listen}
      className={dialogStyles.dialog}
      aria-labelledby={id}
      onClose={() => {
        filing.list.send({ type: "failure.dismissed" });
        onClose();
      }}
    >
      <h2 id={id}>{t(making === undefined ? "dialog.title" : `dialog.new.${making}`)}</h2>
      <Failure filing={filing} />
      {view.type === "list" ? <Lists filing={filing} onView={setView} /> : null}
      {view.type === "form" ? (
        <EditForm
          filing={filing}
          edited={view.edited}
          onCancel={(element) => (making === undefined ? leave() : closest(element))}
        />
      ) : null}
      {view.type === "retention" ? <RetentionForm folderId={view.folderId} name={view.name} onDone={showList} /> : null}
      {view.type === "deletion" ? <Deletion filing={filing} edited={view.edited} onCancel={leave} /> : null}
    </dialog>
  );
}

/** Shows why the last edit failed. The form keeps the typed values. */
function Failure({ filing }: { filing: OpenFiling }) {
  const { t } = useTranslation(["filing", "translation"]);
  const failure = useSelector(filing.list, selectFailure);
  if (failure === null) return <p role="alert" />;
  const own = failure === "conflict" ? "dialog.taken" : failure === "tooManyAtOnce" ? "dialog.full" : null;
  return (
    <p role="alert" className={styles.failure}>
      {own === null ? t(`translation:errors.${failure}`) : t(own)}
    </p>
  );
}

interface ListsProps {
  filing: OpenFiling;
  onView(view: View): void;
}

function Lists({ filing, onView }: ListsProps) {
  const { t } = useTranslation("filing");
  const folders = useSelector(filing.list, selectFolders);
  const tags = useSelector(filing.list, selectAllTags);
  return (
    <>
      <h3 className={styles.heading}>{t("dialog.folders")}</h3>
      <ul className={styles.items}>
        {folders.map((item) => (
          <Item key={item.id} edited={{ kind: "folder", item }} name={item.name} onView={onView} />
        ))}
        <li>
          <span className="grow anywhere">{t("noFolder")}</span>
          <Keeps folderId={null} name={t("noFolder")} onView={onView} />
        </li>
      </ul>
      <Button
        icon="plus"
        disabled={folders.length >= filingLimits.folders}
        onClick={() => onView({ type: "form", edited: { kind: "folder", item: null } })}
      >
        {t("dialog.new.folder")}
      </Button>
      <h3 className={styles.heading}>{t("dialog.tags")}</h3>
      <ul className={styles.items}>
        {tags.map((item) => (
          <Item key={item.id} edited={{ kind: "tag", item }} name={item.name} onView={onView} />
        ))}
      </ul>
      <Button
        icon="plus"
        disabled={tags.length >= filingLimits.tags}
        onClick={() => onView({ type: "form", edited: { kind: "tag", item: null } })}
      >
        {t("dialog.new.tag")}
      </Button>
      <div className={`row at-end ${styles.done}`}>
        <Button look="primary" autoFocus onClick={({ currentTarget }) => closest(currentTarget)}>
          {t("dialog.done")}
        </Button>
      </div>
    </>
  );
}

function Item({ edited, name, onView }: { edited: Edited; name: string; onView: ListsProps["onView"] }) {
  const { t } = useTranslation("filing");
  return (
    <li>
      {edited.kind === "tag" ? <span className={styles.dot} data-colour={edited.item?.colour} /> : <Glyph name="folder" />}
      <span className="grow anywhere" dir="auto">
        {name}
      </span>
      {edited.kind === "folder" && edited.item ? <Keeps folderId={edited.item.id} name={name} onView={onView} /> : null}
      <IconButton icon="edit" label={t("dialog.edit", { name })} onClick={() => onView({ type: "form", edited })} />
      <IconButton icon="trash" label={t("dialog.delete", { name })} onClick={() => onView({ type: "deletion", edited })} />
    </li>
  );
}

/** The button that opens the retention of the folder's transcripts. */
function Keeps({ folderId, name, onView }: { folderId: string | null; name: string; onView: ListsProps["onView"] }) {
  const { t } = useTranslation("filing");
  return (
    <IconButton
      icon="settings"
      label={t("dialog.keeps", { name })}
      onClick={() => onView({ type: "retention", folderId, name })}
    />
  );
}

function Deletion({ filing, edited, onCancel }: { filing: OpenFiling; edited: Edited; onCancel(): void }) {
  const { t } = useTranslation("filing");
  const isSaving = useSelector(filing.list, selectIsSaving);
  const { kind, item } = edited;
  return (
    <>
      <p className={dialogStyles.body}>{t(`dialog.deletion.${kind}`, { name: item?.name ?? "" })}</p>
      <div className="row at-end">
        <Button look="quiet" autoFocus onClick={onCancel}>
          {t("dialog.keep")}
        </Button>
        <Button
          look="danger"
          icon="trash"
          busy={isSaving}
          onClick={() => filing.list.send({ type: "edit.requested", edit: { kind, id: item?.id ?? null, draft: null } })}
        >
          {t("dialog.confirm")}
        </Button>
      </div>
    </>
  );
}
