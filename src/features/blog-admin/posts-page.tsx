import { Link, useLoaderData } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectIsLoading, selectList, selectLoadError, selectQuery } from "#machines/blog-admin/posts.ts";
import { SchedulePanel } from "#src/features/scheduled-posting/scheduled-posting-panel.tsx";
import { buttonClass } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { PageIntro } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import { useBlogAdminRoutes } from "./admin-routes.ts";
import styles from "./posts.module.css";
import type { PostsAdmin } from "./posts-actor.ts";
import { BulkBar, PostsDialog, PostsOutcome } from "./posts-bulk.tsx";
import { ClearFilters, isNarrowed, PostsFilters } from "./posts-filters.tsx";
import { PostsPager, PostsTable } from "./posts-table.tsx";

/** All posts for their editors: search, selection, publishing, deletion. */
export function PostsPage() {
  const { t } = useTranslation("blog-admin");
  const posts = useLoaderData({ strict: false, select: (data) => (data && "posts" in data ? data.posts : undefined) });
  const places = useBlogAdminRoutes();
  if (posts === undefined) return null;
  return (
    <>
      <PageIntro lead={t("list.lead")}>
        <Link className={buttonClass("primary")} to={places.editor}>
          <Icon name="plus" />
          {t("list.write")}
        </Link>
      </PageIntro>
      <PostsFilters posts={posts} />
      <LoadFailure posts={posts} />
      <PostsOutcome posts={posts} />
      <BulkBar posts={posts} />
      <Posts posts={posts} />
      <PostsDialog posts={posts} />
      <SchedulePanel />
    </>
  );
}

function LoadFailure({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const error = useSelector(posts, selectLoadError);
  if (error === null) return null;
  return (
    <RetryNotice label={t("retry")} onRetry={() => posts.send({ type: "refresh.requested" })}>
      <strong>{t("failed.fetchAll")}</strong>
      <p>{t(`errors.${error}`)}</p>
    </RetryNotice>
  );
}

function Posts({ posts }: { posts: PostsAdmin }) {
  const { t, i18n } = useTranslation("blog-admin");
  const list = useSelector(posts, selectList);
  const loading = useSelector(posts, selectIsLoading);
  if (list === null) return loading ? <LoadingScreen message={t("loading")} /> : null;
  if (list.posts.length === 0) return <Nothing posts={posts} />;
  return (
    <section className={styles.posts} aria-label={t("list.caption")} aria-busy={loading}>
      <p className={styles.count} role="status">
        {t("list.count", { count: list.total, shown: new Intl.NumberFormat(i18n.language).format(list.total) })}
      </p>
      <PostsTable posts={posts} list={list} />
      <PostsPager posts={posts} list={list} />
    </section>
  );
}

/** The empty state: no posts yet, or none found. */
function Nothing({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const places = useBlogAdminRoutes();
  const narrowed = useSelector(posts, (snapshot) => isNarrowed(selectQuery(snapshot)));
  return (
    <div className={styles.empty}>
      <h2>{t(narrowed ? "list.noneFound" : "list.empty")}</h2>
      <p>{t(narrowed ? "list.noneFoundText" : "list.emptyText")}</p>
      {narrowed ? (
        <ClearFilters />
      ) : (
        <div className={styles.ways}>
          <Link className={buttonClass("primary")} to={places.editor}>
            {t("list.write")}
          </Link>
          <Link className={buttonClass("secondary")} to={places.generator}>
            {t("list.generate")}
          </Link>
        </div>
      )}
    </div>
  );
}
