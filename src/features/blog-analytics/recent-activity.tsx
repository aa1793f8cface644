import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { BlogAnalytics, PostActivity } from "#contract/index.ts";
import { useBlogAdminRoutes } from "#src/features/blog-admin/admin-routes.ts";
import { number, relativeDay } from "#src/i18n/format.ts";
import styles from "./blog-analytics.module.css";
import { Part } from "./part.tsx";

/** Recent activity, the newest day first. */
export function RecentActivity({ analytics, isSample }: { analytics: BlogAnalytics; isSample: boolean }) {
  const { t } = useTranslation("blog-analytics");
  const { recentActivity, engagementTrends } = analytics;
  // The last day of the trends is today in the server's time zone.
  const today = engagementTrends.daily.at(-1)?.date ?? "";
  return (
    <Part id="recent-activity" title={t("activity.title")} note={t("activity.note")} isSample={isSample}>
      {recentActivity.length === 0 ? <p className="measure note">{t("activity.none")}</p> : null}
      <ol className={`stack ${styles.activities}`}>
        {recentActivity.map((activity) => (
          <Entry key={JSON.stringify(activity)} activity={activity} today={today} />
        ))}
      </ol>
    </Part>
  );
}

const known = new Set(["published", "views", "likes", "dislikes"]);

function Entry({ activity: { type, postTitle, postId, count, date }, today }: { activity: PostActivity; today: string }) {
  const { t, i18n } = useTranslation("blog-analytics");
  const { editor } = useBlogAdminRoutes();
  const n = number(count, i18n.language);
  return (
    <li>
      <span className={styles.what}>{known.has(type) ? t(`activity.${type}`, { count, n }) : `${type}: ${n}`}</span>
      {postId === undefined ? (
        <span>{postTitle}</span>
      ) : (
        <Link to={editor} search={{ id: postId }}>
          {postTitle}
        </Link>
      )}
      <time dateTime={date}>{relativeDay(date, today, i18n.language)}</time>
    </li>
  );
}
