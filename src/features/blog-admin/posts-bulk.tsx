import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { BlogSummary, BulkKind } from "#contract/index.ts";
import {
  selectAction,
  selectIsConfirming,
  selectIsWorking,
  selectOutcome,
  selectSelected,
  selectWaiting,
} from "#machines/blog-admin/posts.ts";
import { Button } from "#src/ui/button.tsx";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { Notice } from "#src/ui/notice.tsx";
import { Progress } from "#src/ui/progress.tsx";
import styles from "./posts.module.css";
import type { PostsAdmin } from "./posts-actor.ts";

/** The maximum number of titles to list. The others are only counted. */
const named = 5;

/** Formats titles as “One”, “Two” and 3 more. */
function useTitles() {
  const { t, i18n } = useTranslation("blog-admin");
  return (posts: readonly BlogSummary[]): string => {
    const titles = posts.slice(0, named).map(({ title }) => t("bulk.named", { title }));
    const more = posts.length - titles.length;
    const all = more > 0 ? [...titles, t("bulk.more", { count: more })] : titles;
    return new Intl.ListFormat(i18n.language).format(all);
  };
}

/** Actions on the selected posts. */
export function BulkBar({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const selected = useSelector(posts, selectSelected);
  const working = useSelector(posts, selectIsWorking);
  if (selected.length === 0 || working) return null;
  const ask = (action: BulkKind) => posts.send({ type: "action.requested", action, posts: selected });
  return (
    <section className={`card row apart size-1 ${styles.bulk}`} aria-label={t("bulk.label")}>
      <p role="status">{t("bulk.selected", { count: selected.length })}</p>
      <div className="row centred">
        <Button onClick={() => ask("publish")}>{t("bulk.publish")}</Button>
        <Button onClick={() => ask("unpublish")}>{t("bulk.unpublish")}</Button>
        <Button icon="trash" onClick={() => ask("delete")}>
          {t("bulk.delete")}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            focusHeading();
            posts.send({ type: "selection.cleared" });
          }}
        >
          {t("bulk.clear")}
        </Button>
      </div>
    </section>
  );
}

/** Asks for confirmation, with the number and titles of the posts to delete. */
export function PostsDialog({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const confirming = useSelector(posts, selectIsConfirming);
  const waiting = useSelector(posts, selectWaiting);
  const titles = useTitles();
  if (!confirming) return null;
  return (
    <ConfirmDialog
      title={t("deleteMany.title", { count: waiting.length })}
      text={t("deleteMany.text", { titles: titles(waiting) })}
      confirmLabel={t("deleteMany.confirm", { count: waiting.length })}
      cancelLabel={t("cancel")}
      onCancel={() => posts.send({ type: "action.dismissed" })}
      onConfirm={() => {
        // The rows disappear with the button that opened the dialog.
        focusHeading();
        posts.send({ type: "action.confirmed" });
      }}
    />
  );
}

/** Progress and outcome of a bulk action. */
export function PostsOutcome({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const outcome = useSelector(posts, selectOutcome);
  const working = useSelector(posts, selectIsWorking);
  const waiting = useSelector(posts, selectWaiting).length;
  const action = useSelector(posts, selectAction);
  const titles = useTitles();
  if (outcome === null) return null;
  const { done, missing, failed, code } = outcome;
  if (working) {
    const finished = done.length + missing.length;
    const total = finished + waiting;
    return (
      <Notice>
        <p>{t(`bulk.working.${action}`, { finished, total })}</p>
        <Progress label={t("bulk.progress")} fraction={finished / Math.max(1, total)} />
      </Notice>
    );
  }
  const dismiss = (
    <Button
      look="quiet"
      onClick={() => {
        focusHeading();
        posts.send({ type: "outcome.dismissed" });
      }}
    >
      {t("dismiss")}
    </Button>
  );
  const retry = (
    <Button icon="retry" onClick={() => posts.send({ type: "outcome.retried" })}>
      {t("retry")}
    </Button>
  );
  return (
    <Notice
      tone={failed.length > 0 ? "danger" : "good"}
      actions={
        <>
          {failed.length > 0 ? retry : null}
          {dismiss}
        </>
      }
    >
      {done.length > 0 ? <p>{t(`bulk.done.${outcome.action}`, { count: done.length })}</p> : null}
      {missing.length > 0 ? <p>{t("bulk.missing", { count: missing.length, titles: titles(missing) })}</p> : null}
      {failed.length > 0 ? (
        <p>
          <strong>{t(`failed.${outcome.action}`)}</strong> {titles(failed)} {t(`errors.${code ?? "internal"}`)}
        </p>
      ) : null}
    </Notice>
  );
}
