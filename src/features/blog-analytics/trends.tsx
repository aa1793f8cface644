import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type AnalyticsDay, type AnalyticsRange, analyticsRanges, type BlogAnalytics } from "#contract/index.ts";
import { useBlogAdminRoutes } from "#src/features/blog-admin/admin-routes.ts";
import { number } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Chart } from "#src/ui/charts/chart.tsx";
import { dayLabels } from "#src/ui/charts/days.ts";
import { downloadDays } from "./actor.ts";
import styles from "./blog-analytics.module.css";
import { Part } from "./part.tsx";

/** Daily trends. */
export function Trends({ analytics, days, isSample }: { analytics: BlogAnalytics; days: AnalyticsRange; isSample: boolean }) {
  const { t, i18n } = useTranslation("blog-analytics");
  const { daily } = analytics.engagementTrends;
  const sumOf = (column: "views" | "likes" | "dislikes") =>
    number(
      daily.reduce((sum, day) => sum + day[column], 0),
      i18n.language,
    );
  const sums = { views: sumOf("views"), likes: sumOf("likes"), dislikes: sumOf("dislikes") };
  return (
    <Part
      id="trends"
      title={t("trends.title")}
      note={t("trends.note")}
      isSample={isSample}
      actions={
        isSample ? null : (
          <Button icon="download" onClick={() => downloadDays(analytics)}>
            {t("trends.download")}
          </Button>
        )
      }
    >
      <Ranges chosen={days} />
      <p>{t("trends.sum", { days: daily.length, ...sums })}</p>
      <Charts daily={daily} />
    </Part>
  );
}

/**
 * The selectable ranges. The range is in the address, so that it can be shared and works with the browser's history.
 */
function Ranges({ chosen }: { chosen: number }) {
  const { t } = useTranslation("blog-analytics");
  const { analytics } = useBlogAdminRoutes();
  return (
    <nav aria-label={t("trends.ranges")}>
      <ul className="row gap-1">
        {analyticsRanges.map((days) => (
          <li key={days}>
            <Link
              to={analytics}
              search={{ days }}
              resetScroll={false}
              className={`tall note ${styles.range}`}
              activeOptions={{ exact: true, includeSearch: true }}
              aria-current={days === chosen ? "page" : undefined}
            >
              {t("trends.days", { days })}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Charts({ daily }: { daily: readonly AnalyticsDay[] }) {
  const { t, i18n } = useTranslation("blog-analytics");
  const labels = dayLabels(
    daily.map(({ date }) => date),
    i18n.language,
  );
  const table = { summary: t("trends.table"), column: t("trends.day") };
  return (
    <div className={`columns gap-5 ${styles.charts}`}>
      <section className="card stack compact" aria-labelledby="views-by-day">
        <h3 id="views-by-day">{t("trends.views")}</h3>
        <Chart
          kind="line"
          label={t("trends.viewsLabel", { days: daily.length })}
          series={[{ name: t("overview.views"), values: daily.map(({ views }) => views), tone: "accent" }]}
          table={table}
          {...labels}
        />
      </section>
      <section className="card stack compact" aria-labelledby="reactions-by-day">
        <h3 id="reactions-by-day">{t("trends.reactions")}</h3>
        <Chart
          kind="bar"
          stacked
          label={t("trends.reactionsLabel", { days: daily.length })}
          series={[
            { name: t("overview.likes"), values: daily.map(({ likes }) => likes), tone: "good" },
            { name: t("overview.dislikes"), values: daily.map(({ dislikes }) => dislikes), tone: "danger" },
          ]}
          table={table}
          {...labels}
        />
      </section>
    </div>
  );
}
