import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import type { PostStatus } from "#contract/index.ts";
import {
  selectIsConflict,
  selectIsDirty,
  selectIsRemoving,
  selectPost,
  selectPostId,
  selectPostStatus,
  selectSaveError,
  selectSaveState,
  selectSendingStatus,
  selectWantedStatus,
} from "#machines/blog-admin/post-editor/selectors.ts";
import { dateTime } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { Button, buttonClass, IconButton } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import styles from "./editor.module.css";
import { usePicturesAreSending } from "./picture-rows.tsx";
import type { OpenEditor } from "./post-editor-actor.ts";

interface Props {
  editor: OpenEditor;
}

/** The post's save state and actions. */
export function SaveBar({ editor }: Props) {
  return (
    <div className={`row apart ${styles.bar}`}>
      <State editor={editor} />
      <Actions editor={editor} />
    </div>
  );
}

function State({ editor: { actor } }: Props) {
  const { t, i18n } = useTranslation("blog-admin");
  const state = useSelector(actor, selectSaveState);
  const status = useSelector(actor, selectPostStatus);
  const post = useSelector(actor, selectPost);
  const at = post?.updatedAt ?? null;
  const isDraft = status === "draft";
  return (
    <div className={`row ${styles.state}`}>
      <Badge tone={isDraft ? "accent" : "good"}>{t(`status.${status}`)}</Badge>
      <span role="status" className="fine">
        {state === "saved" && at !== null
          ? t("state.savedAt", { time: dateTime(at, i18n.language) })
          : t(state === "changed" ? (isDraft ? "state.draftChanged" : "state.publishedChanged") : `state.${state}`)}
      </span>
    </div>
  );
}

function Actions({ editor }: Props) {
  const { t } = useTranslation("blog-admin");
  const { actor } = editor;
  const status = useSelector(actor, selectPostStatus);
  const id = useSelector(actor, selectPostId);
  const post = useSelector(actor, selectPost);
  const dirty = useSelector(actor, selectIsDirty);
  const conflict = useSelector(actor, selectIsConflict);
  const sending = useSelector(actor, selectSendingStatus);
  const removing = useSelector(actor, selectIsRemoving);
  const waits = usePicturesAreSending(editor.pictures);
  const blocked = conflict || waits;
  const save = (wanted: PostStatus) => {
    if (!blocked) actor.send({ type: "save.requested", status: wanted });
  };
  const published = status === "published";
  return (
    <div className="row">
      {waits ? <span className="fine">{t("pictures.waits")}</span> : null}
      {published && post !== null ? (
        <Link className={buttonClass("quiet")} to="/blog/$slug" params={{ slug: post.slug }}>
          {t("view")}
        </Link>
      ) : null}
      {id === null ? null : (
        <IconButton
          icon="trash"
          label={t("delete")}
          aria-busy={removing || undefined}
          onClick={() => actor.send({ type: "delete.requested" })}
        />
      )}
      <Button aria-disabled={blocked || undefined} busy={sending === "draft"} onClick={() => save("draft")}>
        {t(published ? "unpublish" : "saveDraft")}
      </Button>
      <Button
        look="primary"
        aria-disabled={blocked || (published && !dirty) || undefined}
        busy={sending === "published"}
        onClick={() => {
          if (!published || dirty) save("published");
        }}
      >
        {t(published ? "update" : "publish")}
      </Button>
    </div>
  );
}

/** Errors of saving, on the server or in the browser. */
export function SaveTrouble({ editor: { actor, keeping } }: Props) {
  const { t } = useTranslation("blog-admin");
  const error = useSelector(actor, selectSaveError);
  const status = useSelector(actor, selectWantedStatus);
  const hasRoom = useSyncExternalStore(keeping.subscribe, keeping.hasRoom);
  return (
    <>
      {error === null ? null : (
        <RetryNotice label={t("retry")} onRetry={() => actor.send({ type: "save.requested", status })}>
          <strong>{t("failed.save")}</strong>
          <p>
            {t(`errors.${error}`)} {t("state.keptHere")}
          </p>
        </RetryNotice>
      )}
      {hasRoom ? null : <Notice tone="danger">{t("state.noRoom")}</Notice>}
    </>
  );
}
