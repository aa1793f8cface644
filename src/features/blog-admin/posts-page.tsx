import { Link, useLoaderData } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PostsQuery } from "#contract/index.ts";
import { selectIsLoading, selectList, selectLoadError, selectQuery } from "#machines/blog-admin/posts.ts";
import { useNarrow } from "#src/browser/narrow.ts";
import { SchedulePanel } from "#src/features/scheduled-posting/scheduled-posting-panel.tsx";
import { languageName, number } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { ChoiceField, TextField } from "#src/ui/field.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { PageIntro } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import { useBlogAdminRoutes } from "./admin-routes.ts";
import styles from "./posts.module.css";
import { type PostsAdmin, readQuery, writeQuery } from "./posts-actor.ts";
import { BulkBar, PostsDialog, PostsOutcome } from "./posts-bulk.tsx";
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
    <section className="stack" aria-label={t("list.caption")} aria-busy={loading}>
      <p className="fine" role="status">
        {t("list.count", { count: list.total, shown: number(list.total, i18n.language) })}
      </p>
      <PostsTable posts={posts} list={list} />
      <PostsPager posts={posts} list={list} />
    </section>
  );
}

function Nothing({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const places = useBlogAdminRoutes();
  const narrowed = useSelector(posts, (snapshot) => isNarrowed(selectQuery(snapshot)));
  return (
    <div className={`stack middle centre ${styles.empty}`}>
      <h2 className="size-4">{t(narrowed ? "list.noneFound" : "list.empty")}</h2>
      <p>{t(narrowed ? "list.noneFoundText" : "list.emptyText")}</p>
      {narrowed ? (
        <ClearFilters />
      ) : (
        <div className="row centred">
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

const statuses = ["all", "draft", "published"] as const;
const origins = ["all", "yes", "no"] as const;

const isNarrowed = ({ search, status, topic, language, generated }: PostsQuery): boolean =>
  search !== "" || status !== "all" || topic !== "" || language !== "" || generated !== "all";

/** Changes the address. The list follows the address. */
function useNarrowPosts() {
  return useNarrow({ to: useBlogAdminRoutes().posts, read: readQuery, write: writeQuery });
}

function PostsFilters({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const { status, generated } = useSelector(posts, selectQuery);
  const narrow = useNarrowPosts();
  return (
    <search className={styles.filters}>
      <SearchField posts={posts} />
      <ChoiceField
        label={t("list.status")}
        value={status}
        values={statuses}
        textOf={(one) => t(`list.statuses.${one}`)}
        onChoose={(chosen) => narrow({ status: chosen })}
      />
      <TopicFilter posts={posts} />
      <LanguageFilter posts={posts} />
      <ChoiceField
        label={t("list.origin")}
        value={generated}
        values={origins}
        textOf={(one) => t(`list.origins.${one}`)}
        onChoose={(chosen) => narrow({ generated: chosen })}
      />
    </search>
  );
}

function SearchField({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const { search } = useSelector(posts, selectQuery);
  const narrow = useNarrowPosts();
  // While the user types, the address lags behind.
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextField
      type="search"
      label={t("list.search")}
      autoComplete="off"
      maxLength={200}
      value={typed ?? search}
      onChange={({ target }) => {
        setTyped(target.value);
        narrow({ search: target.value });
      }}
      onBlur={() => setTyped(null)}
    />
  );
}

function TopicFilter({ posts }: { posts: PostsAdmin }) {
  const { t } = useTranslation("blog-admin");
  const { topic } = useSelector(posts, selectQuery);
  const list = useSelector(posts, selectList);
  const narrow = useNarrowPosts();
  const known = list?.facets?.topics.map((one) => one.topic) ?? [];
  return (
    <ChoiceField
      label={t("list.topic")}
      value={topic}
      values={[...new Set(["", ...(known.includes(topic) ? [] : [topic]), ...known])]}
      textOf={(one) => one || t("list.allTopics")}
      onChoose={(chosen) => narrow({ topic: chosen })}
    />
  );
}

function LanguageFilter({ posts }: { posts: PostsAdmin }) {
  const { t, i18n } = useTranslation("blog-admin");
  const { language } = useSelector(posts, selectQuery);
  const list = useSelector(posts, selectList);
  const narrow = useNarrowPosts();
  const known = list?.facets?.languages.map((one) => one.language) ?? [];
  return (
    <ChoiceField
      label={t("list.language")}
      value={language}
      values={[...new Set(["", ...(known.includes(language) ? [] : [language]), ...known])]}
      textOf={(one) => (one === "" ? t("list.allLanguages") : languageName(one, i18n.language))}
      onChoose={(chosen) => narrow({ language: chosen })}
    />
  );
}

/** The button disappears when no filter is left. Then the search field takes the focus. */
function ClearFilters() {
  const { t } = useTranslation("blog-admin");
  const narrow = useNarrowPosts();
  return (
    <Button
      icon="close"
      onClick={({ currentTarget }) => {
        currentTarget.closest("main")?.querySelector<HTMLElement>("input[type=search]")?.focus();
        narrow({ search: "", status: "all", topic: "", language: "", generated: "all" });
      }}
    >
      {t("list.clear")}
    </Button>
  );
}
