import { useTranslation } from "react-i18next";
import type { AnalyticsOverview } from "#contract/index.ts";
import { NumberCard } from "#src/ui/number-card.tsx";
import styles from "./blog-analytics.module.css";
import { Part } from "./part.tsx";

/** Totals of the whole blog. */
export function Overview({ overview, isSample }: { overview: AnalyticsOverview; isSample: boolean }) {
  const { t, i18n } = useTranslation("blog-analytics");
  const number = new Intl.NumberFormat(i18n.language);
  const rate = new Intl.NumberFormat(i18n.language, { style: "percent", maximumFractionDigits: 1 });
  const { totalPosts, publishedPosts, draftPosts } = overview;
  return (
    <Part id="overview" title={t("overview.title")} note={t("overview.note")} isSample={isSample}>
      <dl className={styles.cards}>
        <NumberCard label={t("overview.views")} value={number.format(overview.totalViews)} />
        <NumberCard label={t("overview.likes")} value={number.format(overview.totalLikes)} />
        <NumberCard label={t("overview.dislikes")} value={number.format(overview.totalDislikes)} />
        <NumberCard label={t("overview.rate")} value={rate.format(overview.avgEngagementRate)}>
          <dd className={styles.soft}>{t("overview.rateNote")}</dd>
        </NumberCard>
        <NumberCard label={t("overview.posts")} value={number.format(totalPosts)}>
          <dd className={styles.soft}>
            {t("overview.published", { count: publishedPosts, n: number.format(publishedPosts) })}
            {" · "}
            {t("overview.drafts", { count: draftPosts, n: number.format(draftPosts) })}
          </dd>
        </NumberCard>
        <Origin overview={overview} />
      </dl>
    </Part>
  );
}

/** The share of posts that a language model has written. */
function Origin({ overview: { generatedPosts, manualPosts } }: { overview: AnalyticsOverview }) {
  const { t, i18n } = useTranslation("blog-analytics");
  const number = new Intl.NumberFormat(i18n.language);
  const total = generatedPosts + manualPosts;
  return (
    <NumberCard label={t("overview.origin")}>
      <dd className={styles.pair}>
        <span>{t("overview.generated", { n: number.format(generatedPosts) })}</span>
        <span>{t("overview.manual", { n: number.format(manualPosts) })}</span>
      </dd>
      <dd className={styles.share} aria-hidden="true">
        <span style={{ inlineSize: total === 0 ? 0 : `${(generatedPosts / total) * 100}%` }} />
      </dd>
    </NumberCard>
  );
}
