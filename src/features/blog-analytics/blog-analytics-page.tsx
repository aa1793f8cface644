import { Link, useLoaderData } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { AnalyticsRange, BlogAnalytics } from "#contract/index.ts";
import { selectAnalytics, selectDays, selectFailure, selectIsLoading, selectIsSample } from "#machines/blog-analytics/machine.ts";
import { useBlogAdminRoutes } from "#src/features/blog-admin/admin-routes.ts";
import { Button } from "#src/ui/button.tsx";
import { Notice } from "#src/ui/notice.tsx";
import { PageIntro } from "#src/ui/page.tsx";
import { RetryNotice } from "#src/ui/retry-notice.tsx";
import { LoadingScreen } from "#src/ui/screens.tsx";
import type { Analytics } from "./actor.ts";
import styles from "./blog-analytics.module.css";
import { Overview } from "./overview.tsx";
import { RecentActivity } from "./recent-activity.tsx";
import { TopPosts } from "./top-posts.tsx";
import { TopTopics } from "./top-topics.tsx";
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
  // Failures are shown where the data would be.
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
  if (analytics === null) {
    if (failure === null) return <LoadingScreen message={t("loading")} />;
    return (
      <RetryNotice label={t("tryAgain")} onRetry={retry}>
        <p>
          <strong>{t("failed")}</strong>
        </p>
        <p>{t(`errors.${failure}`)}</p>
      </RetryNotice>
    );
  }
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
      ) : failure === null ? (
        <Empty analytics={analytics} />
      ) : (
        <RetryNotice label={t("tryAgain")} onRetry={retry}>
          <p>
            <strong>{t("failed")}</strong>
          </p>
          <p>
            {t(`errors.${failure}`)} {t("stale")}
          </p>
        </RetryNotice>
      )}
      <Numbers analytics={analytics} days={days} isSample={isSample} />
    </>
  );
}

/** What to do while there is no data. */
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

interface NumbersProps {
  analytics: BlogAnalytics;
  /** The requested days; sample data has its own. */
  days: AnalyticsRange;
  isSample: boolean;
}

function Numbers({ analytics, days, isSample }: NumbersProps) {
  return (
    <>
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
