import { useTranslation } from "react-i18next";
import type { BlogAnalytics } from "#contract/index.ts";
import styles from "./blog-analytics.module.css";
import { Part } from "./part.tsx";

/** The topics of published posts: a bar each, beside its number. */
export function TopTopics({ topics, isSample }: { topics: BlogAnalytics["topTopics"]; isSample: boolean }) {
  const { t, i18n } = useTranslation("blog-analytics");
  const number = new Intl.NumberFormat(i18n.language);
  const most = Math.max(1, ...topics.map(({ count }) => count));
  return (
    <Part id="top-topics" title={t("topTopics.title")} note={t("topTopics.note")} isSample={isSample}>
      {topics.length === 0 ? <p className={styles.soft}>{t("topTopics.none")}</p> : null}
      <ol className={styles.topics}>
        {topics.map(({ topic, count }) => (
          <li key={topic}>
            <span>{topic}</span>
            <span>{t("topTopics.posts", { count, n: number.format(count) })}</span>
            <span className={styles.bar} aria-hidden="true">
              <span style={{ inlineSize: `${(count / most) * 100}%` }} />
            </span>
          </li>
        ))}
      </ol>
    </Part>
  );
}
