import { useBlocker } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import {
  selectIsConfirmingDeletion,
  selectIsLoading,
  selectIsMissing,
  selectIsOpen,
  selectLoadError,
  selectValues,
} from "#machines/blog-admin/post-editor/selectors.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import { Details } from "./details.tsx";
import { hasUnsaved, mayLeave, type OpenEditor, openedEditor } from "./post-editor-actor.ts";
import { SaveBar, SaveTrouble } from "./save-bar.tsx";
import { Conflict, Offers } from "./versions.tsx";
import { Writing } from "./writing.tsx";

/** The post editor. */
export function EditorPage() {
  const editor = useSyncExternalStore(openedEditor.subscribe, openedEditor.get);
  return editor === undefined ? null : <Editor key={editor.actor.sessionId} editor={editor} />;
}

function Editor({ editor }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const { actor } = editor;
  const loading = useSelector(actor, selectIsLoading);
  const isThere = useSelector(actor, selectIsOpen);
  return (
    <>
      {loading ? <LoadingScreen message={t("loading")} /> : null}
      <LoadFailure editor={editor} />
      {isThere ? <Post editor={editor} /> : null}
    </>
  );
}

function LoadFailure({ editor: { actor } }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const missing = useSelector(actor, selectIsMissing);
  const error = useSelector(actor, selectLoadError);
  if (!missing && error === null) return null;
  return (
    <RetryNotice label={t("retry")} onRetry={() => actor.send({ type: "reload.requested" })}>
      <strong>{t(missing ? "failed.notFound" : "failed.fetch")}</strong>
      {error === null ? null : <p>{t(`errors.${error}`)}</p>}
    </RetryNotice>
  );
}

function Post({ editor }: { editor: OpenEditor }) {
  return (
    <div className="stack gap-4">
      <SaveBar editor={editor} />
      <Offers editor={editor} />
      <SaveTrouble editor={editor} />
      <Conflict editor={editor} />
      <Writing editor={editor} />
      <Details editor={editor} />
      <DeletionDialog editor={editor} />
      <LeavingDialog editor={editor} />
    </div>
  );
}

function DeletionDialog({ editor: { actor } }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const confirming = useSelector(actor, selectIsConfirmingDeletion);
  const { title } = useSelector(actor, selectValues);
  if (!confirming) return null;
  return (
    <ConfirmDialog
      title={t("deletion.title")}
      text={t("deletion.text", { title: title || t("untitled") })}
      confirmLabel={t("deletion.confirm")}
      cancelLabel={t("cancel")}
      onConfirm={() => actor.send({ type: "delete.confirmed" })}
      onCancel={() => actor.send({ type: "delete.dismissed" })}
    />
  );
}

function LeavingDialog({ editor }: { editor: OpenEditor }) {
  const { t } = useTranslation("blog-admin");
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: async ({ next }) => {
      const nextId = next.pathname.endsWith("/editor") && "id" in next.search ? next.search.id : undefined;
      return !(await mayLeave(editor, nextId));
    },
    enableBeforeUnload: () => hasUnsaved(editor),
    withResolver: true,
  });
  if (status !== "blocked") return null;
  return (
    <ConfirmDialog
      title={t("leaving.title")}
      text={t("leaving.text")}
      confirmLabel={t("leaving.leave")}
      cancelLabel={t("leaving.stay")}
      icon={null}
      onConfirm={proceed}
      onCancel={reset}
    />
  );
}
