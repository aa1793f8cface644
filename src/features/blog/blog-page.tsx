import { Link, useLoaderData } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { BlogList } from "#contract/index.ts";
import {
  selectIsLoadingPosts,
  selectList,
  selectPopular,
  selectPopularFailed,
  selectPostsFailure,
  selectQuery,
} from "#machines/blog/list.ts";
import { number } from "#src/i18n/format.ts";
import { Button, buttonClass } from "#src/ui/button.tsx";
import { focusHeading } from "#src/ui/focus.ts";
import { useHydration } from "#src/ui/hydration.ts";
import { Icon } from "#src/ui/icon.tsx";
import { Page } from "#src/ui/page.tsx";
import { Progress } from "#src/ui/progress.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import type { BlogListActor } from "./actor.ts";
import { searchOf } from "./address.ts";
import styles from "./blog.module.css";
import { PostCard, PostFacts } from "./card.tsx";
import { isFiltered } from "./choices.ts";
import { ChosenFilters, ClearFilters, Filters } from "./filters.tsx";
import { Pager } from "./pager.tsx";

/** The blog: posts, filters, and popular posts. */
export function BlogPage() {
  useHydration();
  const { t } = useTranslation("blog");
  const list = useLoaderData({ from: "/_public/blog/" });
  return (
    <Page title={t("titles.blog")} lead={t("lead")}>
      <link rel="alternate" type="application/rss+xml" title={t("feeds.rss")} href="/blog/rss.xml" />
      <link rel="alternate" type="application/atom+xml" title={t("feeds.atom")} href="/blog/atom.xml" />
      <div className={`stack gap-7 ${styles.blog}`}>
        <div className="stack gap-5">
          <Posts list={list} />
        </div>
        <aside className={`stack gap-6 ${styles.aside}`}>
          <Popular list={list} />
          <Feeds />
        </aside>
      </div>
    </Page>
  );
}

function Posts({ list }: { list: BlogListActor }) {
  const { t } = useTranslation("blog");
  const there = useSelector(list, selectList);
  const isLoading = useSelector(list, selectIsLoadingPosts);
  const failure = useSelector(list, selectPostsFailure);
  return (
    <section
      className={`stack gap-4 ${styles.posts}`}
      aria-busy={isLoading}
      data-testid="posts"
      data-state={isLoading ? "loading" : "there"}
    >
      <div className={`facts size-1 ${styles.meta}`}>
        <span role="status">{isLoading ? t("loading") : there ? <Count list={list} there={there} /> : ""}</span>
        <Filters list={list} />
        <ChosenFilters list={list} />
        {isLoading ? <Progress label={t("loading")} /> : null}
      </div>
      {failure === null ? null : (
        <RetryNotice label={t("again")} onRetry={() => list.send({ type: "retry.requested" })}>
          <p>
            <strong>{t("failed")}</strong>
          </p>
          <p>{t([`errors.${failure}`, "errors.internal"])}</p>
        </RetryNotice>
      )}
      {there ? <Shown list={list} there={there} /> : null}
    </section>
  );
}

function Count({ list, there }: { list: BlogListActor; there: BlogList }) {
  const { t, i18n } = useTranslation("blog");
  const { page } = useSelector(list, selectQuery);
  const { total, totalPages } = there;
  const count = t("count", { count: total, shown: number(total, i18n.language) });
  return totalPages > 1 ? `${count}, ${t("pageOf", { page, total: totalPages })}` : count;
}

function Shown({ list, there }: { list: BlogListActor; there: BlogList }) {
  const { t } = useTranslation("blog");
  const query = useSelector(list, selectQuery);
  const { posts, total, totalPages } = there;
  if (posts.length === 0 && total > 0) {
    const { page } = query;
    return (
      <Nothing title={t("noPage.title", { page })} text={t("noPage.text")}>
        <Link className={buttonClass("primary")} to="/blog" search={searchOf({ ...query, page: 1 })} onClick={focusHeading}>
          {t("noPage.first")}
        </Link>
      </Nothing>
    );
  }
  if (posts.length === 0) {
    return isFiltered(query) ? (
      <Nothing title={t("noMatch.title")} text={t("noMatch.text")}>
        <ClearFilters look="primary" />
      </Nothing>
    ) : (
      <Nothing title={t("empty.title")} text={t("empty.text")} />
    );
  }
  const leads = query.page === 1 && !isFiltered(query);
  return (
    <>
      <ol className={`divided ${styles.cards}`}>
        {posts.map((post, index) => (
          <li key={post.id}>
            <PostCard post={post} level={2} look={leads && index === 0 ? "leading" : "row"} />
          </li>
        ))}
      </ol>
      <Pager query={query} last={totalPages} />
    </>
  );
}

function Nothing({ title, text, children }: { title: string; text: string; children?: React.ReactNode }) {
  return (
    <div className={`stack middle centre ${styles.nothing}`}>
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

function Popular({ list }: { list: BlogListActor }) {
  const { t } = useTranslation("blog");
  const posts = useSelector(list, selectPopular);
  const failed = useSelector(list, selectPopularFailed);
  if (posts.length === 0 && !failed) return null;
  return (
    <section className={styles.popular} aria-labelledby="popular">
      <h2 id="popular">{t("popular.title")}</h2>
      {failed ? (
        <>
          <p>{t("popular.failed")}</p>
          <Button look="quiet" icon="retry" onClick={() => list.send({ type: "retry.requested" })}>
            {t("again")}
          </Button>
        </>
      ) : (
        <ol>
          {posts.map((post) => (
            <li key={post.id}>
              <Link to="/blog/$slug" params={{ slug: post.slug }} lang={post.language}>
                {post.title}
              </Link>
              <PostFacts post={post} likes />
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function Feeds() {
  const { t } = useTranslation("blog");
  return (
    <section className={styles.feeds} aria-labelledby="feeds">
      <h2 id="feeds">{t("feeds.title")}</h2>
      <p className="note">{t("feeds.text")}</p>
      <ul className="links">
        <li>
          <a className="tall size-1" href="/blog/rss.xml">
            <Icon name="feed" />
            {t("feeds.rss")}
          </a>
        </li>
        <li>
          <a className="tall size-1" href="/blog/atom.xml">
            <Icon name="feed" />
            {t("feeds.atom")}
          </a>
        </li>
      </ul>
    </section>
  );
}
