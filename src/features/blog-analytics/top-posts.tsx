import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type BlogAnalytics, type TopPost, viewsPerReaction } from "#contract/index.ts";
import { useBlogAdminRoutes } from "#src/features/blog-admin/admin-routes.ts";
import { number } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { Icon } from "#src/ui/icon.tsx";
import { downloadTopPosts } from "./actor.ts";
import styles from "./blog-analytics.module.css";
import { Part } from "./part.tsx";

/** The most-read posts. */
export function TopPosts({ analytics, isSample }: { analytics: BlogAnalytics; isSample: boolean }) {
  const { t } = useTranslation("blog-analytics");
  const { topPosts } = analytics;
  return (
    <Part
      id="top-posts"
      title={t("topPosts.title")}
      note={t("topPosts.note", { n: viewsPerReaction })}
      isSample={isSample}
      actions={
        isSample || topPosts.length === 0 ? null : (
          <Button icon="download" onClick={() => downloadTopPosts(analytics)}>
            {t("topPosts.download")}
          </Button>
        )
      }
    >
      {topPosts.length === 0 ? (
        <p className="measure note">{t("topPosts.none")}</p>
      ) : (
        <div className={styles.scroll}>
          <table className={`digits ${styles.table}`} aria-labelledby="top-posts">
            <thead>
              <tr>
                <th scope="col">{t("topPosts.post")}</th>
                <th scope="col">{t("overview.views")}</th>
                <th scope="col">{t("overview.likes")}</th>
                <th scope="col">{t("overview.dislikes")}</th>
                <th scope="col">{t("topPosts.score")}</th>
                <th scope="col">
                  <span className="visuallyHidden">{t("topPosts.editor")}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {topPosts.map((post) => (
                <Row key={post.id} post={post} isSample={isSample} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Part>
  );
}

function Row({
  post: { id, title, slug, views, likes, dislikes, engagementScore },
  isSample,
}: {
  post: TopPost;
  isSample: boolean;
}) {
  const { t, i18n } = useTranslation("blog-analytics");
  const { editor } = useBlogAdminRoutes();
  const shown = (value: number) => number(value, i18n.language);
  return (
    <tr>
      <th scope="row">
        {slug === undefined ? (
          title
        ) : (
          <Link to="/blog/$slug" params={{ slug }}>
            {title}
          </Link>
        )}
      </th>
      <td>{shown(views)}</td>
      <td>{shown(likes)}</td>
      <td>{shown(dislikes)}</td>
      <td>{shown(engagementScore)}</td>
      <td>
        {isSample ? null : (
          <Link
            className={styles.edit}
            to={editor}
            search={{ id }}
            aria-label={t("topPosts.edit", { title })}
            title={t("topPosts.edit", { title })}
          >
            <Icon name="edit" />
          </Link>
        )}
      </td>
    </tr>
  );
}
