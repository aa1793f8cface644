import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import * as v from "valibot";
import type { AuditEntry, AuditState } from "#contract/index.ts";
import { date, dateTime, number } from "#src/i18n/format.ts";
import { adminApi } from "./actor.ts";
import styles from "./admin.module.css";
import { List } from "./list.tsx";
import { type AdminList, keepAdminList } from "./list-actor.ts";
import { ListTable } from "./list-table.tsx";
import { adminSearch, PageNumber } from "./search.ts";
import type { AdminSection } from "./section.ts";
import table from "./table.module.css";

const LogSearch = v.object({ page: PageNumber });
type LogQuery = v.InferOutput<typeof LogSearch>;

const list = keepAdminList<AuditEntry, LogQuery>(({ page }, signal) => adminApi.audit(page, signal));
type LogList = AdminList<AuditEntry, LogQuery>;

export const log: AdminSection = {
  enter: (search) => <Log list={list.show(v.parse(LogSearch, search))} />,
  leave: list.close,
};

/** The audit log: who changed which account, how, and why. */
function Log({ list }: { list: LogList }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <section className={`stack gap-5 ${styles.section}`} aria-labelledby="log">
      <h2 id="log">{t("sections.log")}</h2>
      <p className={styles.count}>{t("log.lead")}</p>
      <List
        list={list}
        failedText={t("log.failed")}
        emptyText={t("log.none")}
        countText={(total) => t("log.count", { n: number(total, i18n.language) })}
        searchOf={(page) => adminSearch("log", { page })}
      >
        {(entries) => <Table entries={entries} />}
      </List>
    </section>
  );
}

function Table({ entries }: { entries: readonly AuditEntry[] }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <ListTable
      caption={t("sections.log")}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t("log.action"),
          cell: ({ action, at }) => (
            <>
              {t(`actions.${action}`)}
              <p className={table.soft}>{dateTime(at, i18n.language)}</p>
            </>
          ),
        },
        { name: t("log.user"), cell: ({ user }) => (user === null ? "–" : <Who who={user} linked />) },
        { name: t("log.change"), cell: (entry) => <Change entry={entry} /> },
        { name: t("log.reason"), cell: ({ reason }) => (reason === "" ? "–" : reason) },
        { name: t("log.by"), cell: ({ actor }) => <Who who={actor} /> },
      ]}
    />
  );
}

function Change({ entry: { before, after } }: { entry: AuditEntry }) {
  const { t } = useTranslation("admin");
  const [was, is] = [useStateText(before), useStateText(after)];
  return was === "" && is === "" ? "–" : t("log.became", { before: was || "–", after: is || "–" });
}

/** A user. A deleted account is shown as its id, without a link. */
function Who({ who: { id, email }, linked = false }: { who: AuditEntry["actor"]; linked?: boolean }) {
  const { t } = useTranslation("admin");
  if (email === null) return <span className={table.soft}>{t("log.deleted", { id: id.slice(0, 8) })}</span>;
  if (!linked) return email;
  return (
    <Link to="/admin" search={adminSearch("users", { user: id })}>
      {email}
    </Link>
  );
}

function useStateText({ premium, until, superuser, confirmed, blocked, signIns, status, model = "" }: AuditState): string {
  const { t, i18n } = useTranslation("admin");
  const day = until === undefined || until === null ? "" : date(until, i18n.language);
  const parts = [
    premium === undefined
      ? ""
      : premium && day !== ""
        ? t("states.premiumUntil", { date: day })
        : t(premium ? "user.premium" : "user.free"),
    status === "cancelAtPeriodEnd" ? t("states.cancelled") : "",
    superuser === undefined ? "" : t(superuser ? "user.superuser" : "states.noSuperuser"),
    confirmed === undefined ? "" : t(confirmed ? "states.confirmed" : "user.unconfirmed"),
    blocked === undefined ? "" : t(blocked ? "user.blocked" : "states.notBlocked"),
    model,
    signIns === undefined ? "" : t("states.signIns", { n: number(signIns, i18n.language) }),
  ];
  return parts.filter((part) => part !== "").join(", ");
}
