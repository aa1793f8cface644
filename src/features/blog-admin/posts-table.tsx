import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { BlogList, BlogSummary } from "#contract/index.ts";
import { selectIsWorking, selectQuery, selectSelected } from "#machines/blog-admin/posts.ts";
import { dateTime, languageName, number } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { buttonClass, IconButton } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { useBlogAdminRoutes } from "./admin-routes.ts";
import styles from "./posts.module.css";
import { type PostsAdmin, writeQuery } from "./posts-actor.ts";

const columns = ["status", "language", "topics", "views", "likes", "updated"] as const;

/** The posts of one page. Below 780 px they are cards. */
export function PostsTable({ posts, list }: { posts: PostsAdmin; list: BlogList }) {
  const { t } = useTranslation("blog-admin");
  const selected = useSelector(posts, selectSelected);
  const onPage = list.posts.filter(({ id }) => selected.some((one) => one.id === id)).length;
  const all = onPage === list.posts.length;
  return (
    <table className={`size-1 ${styles.table}`}>
      <caption className="visuallyHidden">{t("list.caption")}</caption>
      <thead>
        <tr>
          <th scope="col" className={styles.tick}>
            <label className={styles.tickLabel}>
              <input
                type="checkbox"
                checked={all}
                ref={(box) => {
                  if (box) box.indeterminate = onPage > 0 && !all;
                }}
                onChange={() => posts.send({ type: "page.selected", on: !all })}
              />
              <span className={styles.tickText}>{t("list.selectPage")}</span>
            </label>
          </th>
          <th scope="col">{t("list.columns.title")}</th>
          {columns.map((column) => (
            <th key={column} scope="col" className={styles[column]}>
              {t(`list.columns.${column}`)}
            </th>
          ))}
          <th scope="col">
            <span className="visuallyHidden">{t("list.columns.actions")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {list.posts.map((post) => (
          <Row key={post.id} posts={posts} post={post} isSelected={selected.some(({ id }) => id === post.id)} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  posts: PostsAdmin;
  post: BlogSummary;
  isSelected: boolean;
}

function Row({ posts, post, isSelected }: RowProps) {
  const { t, i18n } = useTranslation("blog-admin");
  const places = useBlogAdminRoutes();
  const { title, topics, language, views, likes, updatedAt } = post;
  return (
    <tr className={isSelected ? styles.selected : undefined}>
      <td className={styles.tick}>
        <label className={styles.tickLabel}>
          <input type="checkbox" checked={isSelected} onChange={() => posts.send({ type: "selection.toggled", post })} />
          <span className="visuallyHidden">{t("list.select", { title })}</span>
        </label>
      </td>
      <th scope="row" className={styles.title}>
        <Link to={places.editor} search={{ id: post.id }} lang={language}>
          {title}
        </Link>
      </th>
      <td data-label={t("list.columns.status")}>
        <PostStatusMark post={post} />
      </td>
      <td data-label={t("list.columns.language")}>{languageName(language, i18n.language)}</td>
      <td className={styles.topics} data-label={t("list.columns.topics")}>
        {topics.length === 0 ? "–" : topics.join(", ")}
      </td>
      <td className={styles.views} data-label={t("list.columns.views")}>
        {number(views, i18n.language)}
      </td>
      <td className={styles.likes} data-label={t("list.columns.likes")}>
        {number(likes, i18n.language)}
      </td>
      <td className={styles.updated} data-label={t("list.columns.updated")}>
        {updatedAt === null ? "–" : <time dateTime={updatedAt}>{dateTime(updatedAt, i18n.language)}</time>}
      </td>
      <td>
        <RowActions posts={posts} post={post} />
      </td>
    </tr>
  );
}

/** Shows whether the post is a draft or published, and whether a language model wrote it. */
function PostStatusMark({ post: { status, generated } }: Pick<RowProps, "post">) {
  const { t } = useTranslation("blog-admin");
  return (
    <span className={styles.marks}>
      <Badge tone={status === "published" ? "good" : "accent"}>{t(`status.${status}`)}</Badge>
      {generated ? <Badge>{t("status.generated")}</Badge> : null}
    </span>
  );
}

function RowActions({ posts, post }: Omit<RowProps, "isSelected">) {
  const { t } = useTranslation("blog-admin");
  const places = useBlogAdminRoutes();
  const working = useSelector(posts, selectIsWorking);
  const { title, slug, status } = post;
  const published = status === "published";
  const turn = published ? "unpublish" : "publish";
  const act = (action: "publish" | "unpublish" | "delete") => {
    if (!working) posts.send({ type: "action.requested", action, posts: [post] });
  };
  return (
    <div className={styles.actions}>
      <Link
        className={buttonClass("quiet", true)}
        to={places.editor}
        search={{ id: post.id }}
        aria-label={t("row.edit", { title })}
      >
        <Icon name="edit" />
      </Link>
      {published ? (
        <Link className={buttonClass("quiet", true)} to="/blog/$slug" params={{ slug }} aria-label={t("row.view", { title })}>
          <Icon name="link" />
        </Link>
      ) : null}
      <IconButton
        icon={published ? "eyeOff" : "eye"}
        label={t(`row.${turn}`, { title })}
        aria-disabled={working || undefined}
        onClick={() => act(turn)}
      />
      <IconButton
        icon="trash"
        label={t("row.delete", { title })}
        aria-disabled={working || undefined}
        onClick={() => act("delete")}
      />
    </div>
  );
}

/** The list's pagination. */
export function PostsPager({ posts, list }: { posts: PostsAdmin; list: BlogList }) {
  const { t } = useTranslation("blog-admin");
  const { posts: to } = useBlogAdminRoutes();
  const query = useSelector(posts, selectQuery);
  const { page } = query;
  if (list.totalPages <= 1) return null;
  const step = (next: number, key: "previous" | "next") =>
    next < 1 || next > list.totalPages ? null : (
      <Link
        className={buttonClass("secondary")}
        to={to}
        search={writeQuery({ ...query, page: next })}
        rel={key === "next" ? "next" : "prev"}
      >
        {t(`pager.${key}`)}
      </Link>
    );
  return (
    <nav className={`row centred gap-3 ${styles.pager}`} aria-label={t("pager.label")}>
      {step(page - 1, "previous")}
      <span role="status">{t("pager.position", { page, pages: list.totalPages })}</span>
      {step(page + 1, "next")}
    </nav>
  );
}
