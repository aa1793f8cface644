import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { ListPage } from "#contract/index.ts";
import { selectListError, selectListIsLoading, selectListPage } from "#machines/admin/list.ts";
import { number } from "#src/i18n/format.ts";
import styles from "./admin.module.css";
import { Failure } from "./failure.tsx";
import type { AdminList } from "./list-actor.ts";

interface ListProps<Row, Query> {
  list: AdminList<Row, Query>;
  /** The messages for a failed request ("Failed to fetch users") and for an empty list. */
  failedText: string;
  emptyText: string;
  /** The number of entries ("12 people"); announced when it changes. */
  countText(total: number): string;
  /** The address of another page of the list. */
  searchOf(page: number): Record<string, string | number>;
  children(rows: readonly Row[]): ReactNode;
}

/** One page of a list with its states: loading, failed, empty, the count, the pagination. */
export function List<Row, Query>({ list, failedText, emptyText, countText, searchOf, children }: ListProps<Row, Query>) {
  const { t } = useTranslation("admin");
  const page: ListPage<Row> | null = useSelector(list, (snapshot) => selectListPage<Row, Query>(snapshot));
  const loading = useSelector(list, selectListIsLoading);
  const error = useSelector(list, selectListError);
  return (
    <div className="stack" aria-busy={loading}>
      {error === null ? null : (
        <Failure error={error} text={failedText} onRetry={() => list.send({ type: "refresh.requested" })} />
      )}
      <p className={styles.count} role="status">
        {loading ? t("loading") : page === null ? "" : page.total === 0 ? emptyText : countText(page.total)}
      </p>
      {page === null || page.rows.length === 0 ? null : (
        <div className={loading ? styles.stale : undefined}>{children(page.rows)}</div>
      )}
      {page === null || page.totalPages < 2 ? null : <Paging page={page} searchOf={searchOf} />}
    </div>
  );
}

interface PagingProps {
  page: Pick<ListPage<unknown>, "page" | "totalPages">;
  searchOf(page: number): Record<string, string | number>;
}

function Paging({ page: { page, totalPages }, searchOf }: PagingProps) {
  const { t, i18n } = useTranslation("admin");
  return (
    <nav className="row centred gap-4 note" aria-label={t("paging.label")}>
      <Step to={page > 1 ? searchOf(page - 1) : undefined} label={t("paging.previous")} />
      <span>{t("paging.position", { page: number(page, i18n.language), pages: number(totalPages, i18n.language) })}</span>
      <Step to={page < totalPages ? searchOf(page + 1) : undefined} label={t("paging.next")} />
    </nav>
  );
}

/** A link to another page. At either end it is disabled and not removed, so that it keeps the focus. */
function Step({ to, label }: { to: Record<string, string | number> | undefined; label: string }) {
  const nowhere = to === undefined;
  return (
    <Link
      to="/admin"
      {...(nowhere ? { disabled: true, tabIndex: -1 } : { search: to })}
      className={`tall ${styles.step}`}
      resetScroll={false}
      activeOptions={{ exact: true }}
    >
      {label}
    </Link>
  );
}
