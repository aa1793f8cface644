import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { BlogQuery } from "#contract/index.ts";
import { focusHeading } from "#src/ui/focus.ts";
import { Icon } from "#src/ui/icon.tsx";
import { searchOf } from "./address.ts";
import { pagerOf } from "./choices.ts";
import styles from "./pager.module.css";

/**
 * Compares search parameters exactly. Otherwise every page would match the first one's address, which has no
 * parameters.
 */
const exactly = { exact: true };

/** Links to the other pages of a list. After a click the focus moves to the heading above the list. */
export function Pager({ query, last }: { query: BlogQuery; last: number }) {
  const { t } = useTranslation("blog");
  const { page } = query;
  if (last < 2) return null;
  const at = (number: number) => searchOf({ ...query, page: number });
  return (
    <nav className={styles.pager} aria-label={t("pages.label")}>
      {page > 1 ? (
        <Link to="/blog" search={at(page - 1)} rel="prev" className={styles.step} onClick={focusHeading} activeOptions={exactly}>
          <Icon name="back" />
          {t("pages.previous")}
        </Link>
      ) : (
        <span />
      )}
      <ol>
        {pagerOf(page, last).map((number, index, all) => (
          <li key={number === 0 ? `after ${all[index - 1]}` : number}>
            {number === 0 ? (
              <span aria-hidden="true">…</span>
            ) : (
              <Link
                to="/blog"
                search={at(number)}
                aria-label={t("pages.page", { page: number })}
                aria-current={number === page ? "page" : undefined}
                onClick={focusHeading}
                activeOptions={exactly}
              >
                {number}
              </Link>
            )}
          </li>
        ))}
      </ol>
      {page < last ? (
        <Link to="/blog" search={at(page + 1)} rel="next" className={styles.step} onClick={focusHeading} activeOptions={exactly}>
          {t("pages.next")}
          <Icon name="forward" />
        </Link>
      ) : (
        <span />
      )}
    </nav>
  );
}
