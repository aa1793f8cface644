import { Link, useLoaderData } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { AnalyticsOverview, BlogAnalytics } from "#contract/index.ts";
import { largest } from "#contract/lists.ts";
import { selectAnalytics, selectDays, selectFailure, selectIsLoading, selectIsSample } from "#machines/blog-analytics/machine.ts";
import { useBlogAdminRoutes } from "#src/features/blog-admin/admin-routes.ts";
import { number } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { NumberCard } from "#src/ui/number-card.tsx";
import { PageIntro } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import type { Analytics } from "./actor.ts";
import styles from "./blog-analytics.module.css";
import { Part } from "./part.tsx";
import { RecentActivity } from "./recent-activity.tsx";
import { TopPosts } from "./top-posts.tsx";
import { Trends } from "./trends.tsx";

/** /blog/admin/analytics: metrics of the blog. */
export function InsightsPage() {
  const { t } = useTranslation("blog-analytics");
  const actor = useLoaderData({ strict: false, select: (data) => (data && "analytics" in data ? data.analytics : undefined) });
  return (
    <>
      <PageIntro lead={t("lead")}>{actor === undefined ? null : <Refresh actor={actor} />}</PageIntro>
      {actor === undefined ? null : <Insights actor={actor} />}
    </>
  );
}

function Refresh({ actor }: { actor: Analytics }) {
  const { t } = useTranslation("blog-analytics");
  const loading = useSelector(actor, selectIsLoading);
  // If there is no data, the failure appears in its place, not here.
  const isSaid = useSelector(actor, (snapshot) => selectAnalytics(snapshot) !== null && selectFailure(snapshot) === null);
  return (
    <div>
      <Button icon="retry" busy={loading} onClick={() => actor.send({ type: "refresh.requested" })}>
        {t("refresh")}
      </Button>
      <p className="visuallyHidden" role="status">
        {isSaid ? t(loading ? "refreshing" : "loaded") : ""}
      </p>
    </div>
  );
}

function Insights({ actor }: { actor: Analytics }) {
  const { t } = useTranslation("blog-analytics");
  const analytics = useSelector(actor, selectAnalytics);
  const failure = useSelector(actor, selectFailure);
  const isSample = useSelector(actor, selectIsSample);
  const days = useSelector(actor, selectDays);
  const retry = () => actor.send({ type: "refresh.requested" });
  const trouble =
    failure === null ? null : (
      <RetryNotice label={t("tryAgain")} onRetry={retry}>
        <p>
          <strong>{t("failed")}</strong>
        </p>
        <p>
          {t(`errors.${failure}`)} {analytics === null ? null : t("stale")}
        </p>
      </RetryNotice>
    );
  if (analytics === null) return trouble ?? <LoadingScreen message={t("loading")} />;
  return (
    <>
      {isSample ? (
        <RetryNotice label={t("tryAgain")} onRetry={failure !== null && retry}>
          <p>
            <strong>{t("sample.title")}</strong>
          </p>
          <p>{t("sample.text")}</p>
          {failure === null ? null : <p>{failure === "notFound" ? t("sample.missing") : t(`errors.${failure}`)}</p>}
        </RetryNotice>
      ) : (
        (trouble ?? <Empty analytics={analytics} />)
      )}
      <Overview overview={analytics.overview} isSample={isSample} />
      <Trends analytics={analytics} days={days} isSample={isSample} />
      <TopPosts analytics={analytics} isSample={isSample} />
      <div className={styles.columns}>
        <TopTopics topics={analytics.topTopics} isSample={isSample} />
        <RecentActivity analytics={analytics} isSample={isSample} />
      </div>
    </>
  );
}

/** Suggests what to do while there is no data. */
function Empty({ analytics: { overview } }: { analytics: BlogAnalytics }) {
  const { t } = useTranslation("blog-analytics");
  const places = useBlogAdminRoutes();
  if (overview.totalPosts === 0) {
    return (
      <Notice
        actions={
          <>
            <Link to={places.editor}>{t("empty.write")}</Link>
            <Link to={places.generator}>{t("empty.generate")}</Link>
          </>
        }
      >
        {t("empty.noPosts")}
      </Notice>
    );
  }
  if (overview.publishedPosts === 0) {
    return <Notice actions={<Link to={places.posts}>{t("empty.toPosts")}</Link>}>{t("empty.noPublished")}</Notice>;
  }
  return overview.totalViews === 0 ? <Notice>{t("empty.noViews")}</Notice> : null;
}

function TopTopics({ topics, isSample }: { topics: BlogAnalytics["topTopics"]; isSample: boolean }) {
  const { t, i18n } = useTranslation("blog-analytics");
  const most = Math.max(1, largest(topics.map(({ count }) => count)));
  return (
    <Part id="top-topics" title={t("topTopics.title")} note={t("topTopics.note")} isSample={isSample}>
      {topics.length === 0 ? <p className="measure note">{t("topTopics.none")}</p> : null}
      <ol className={`stack ${styles.topics}`}>
        {topics.map(({ topic, count }) => (
          <li key={topic}>
            <span>{topic}</span>
            <span>{t("topTopics.posts", { count, n: number(count, i18n.language) })}</span>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ inlineSize: `${(count / most) * 100}%` }} />
            </span>
          </li>
        ))}
      </ol>
    </Part>
  );
}

function Overview({ overview, isSample }: { overview: AnalyticsOverview; isSample: boolean }) {
  const { t, i18n } = useTranslation("blog-analytics");
  const shown = (value: number) => number(value, i18n.language);
  const rate = new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 1 });
  const { totalPosts, publishedPosts, draftPosts } = overview;
  return (
    <Part id="overview" title={t("overview.title")} note={t("overview.note")} isSample={isSample}>
      <dl className={styles.cards}>
        <NumberCard label={t("overview.views")} value={shown(overview.totalViews)} />
        <NumberCard label={t("overview.likes")} value={shown(overview.totalLikes)} />
        <NumberCard label={t("overview.dislikes")} value={shown(overview.totalDislikes)} />
        <NumberCard label={t("overview.rate")} value={rate.format(overview.avgEngagementRate)}>
          <dd className="measure note">{t("overview.rateNote")}</dd>
        </NumberCard>
        <NumberCard label={t("overview.posts")} value={shown(totalPosts)}>
          <dd className="measure note">
            {t("overview.published", { count: publishedPosts, n: shown(publishedPosts) })}
            {" · "}
            {t("overview.drafts", { count: draftPosts, n: shown(draftPosts) })}
          </dd>
        </NumberCard>
        <Origin overview={overview} />
      </dl>
    </Part>
  );
}

/** The share of posts that a language model wrote. */
function Origin({ overview: { generatedPosts, manualPosts } }: { overview: AnalyticsOverview }) {
  const { t, i18n } = useTranslation("blog-analytics");
  const total = generatedPosts + manualPosts;
  return (
    <NumberCard label={t("overview.origin")}>
      <dd className={styles.pair}>
        <span>{t("overview.generated", { n: number(generatedPosts, i18n.language) })}</span>
        <span>{t("overview.manual", { n: number(manualPosts, i18n.language) })}</span>
      </dd>
      <dd className={styles.share} aria-hidden="true">
        <span style={{ inlineSize: total === 0 ? 0 : `${(generatedPosts / total) * 100}%` }} />
      </dd>
    </NumberCard>
  );
}
