import { Link } from "@tanstack/react-router";
import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { type AdminUserRow, userPlans, userSorts } from "#contract/index.ts";
import { selectListQuery } from "#machines/admin/list.ts";
import type { UsersQuery } from "#src/api/admin.ts";
import { useNarrow } from "#src/browser/narrow.ts";
import { date, dateTime, minutes, number } from "#src/i18n/format.ts";
import { ChoiceField, TextField } from "#src/ui/field.tsx";
import styles from "./admin.module.css";
import { List } from "./list.tsx";
import { ListTable } from "./list-table.tsx";
import { adminSearch } from "./search.ts";
import { type AdminSection, claimSectionFocus } from "./section.ts";
import table from "./table.module.css";
import { Badges, User } from "./user.tsx";
import own from "./users.module.css";
import { closeUsers, openUsers, type UsersList, usersQuery } from "./users-actor.ts";

export const users: AdminSection = {
  enter: (search) => {
    const open = openUsers(search);
    return open.list === null ? <User key={open.user.id} actor={open.user} /> : <Users list={open.list} />;
  },
  leave: closeUsers,
};

/** The search parameters of a query. The first sort order is the default, and is omitted. */
const searchOf = ({ sort, ...query }: UsersQuery) => adminSearch("users", { ...query, sort: sort === "newest" ? "" : sort });

function Users({ list }: { list: UsersList }) {
  const { t, i18n } = useTranslation("admin");
  const query = useSelector(list, (snapshot) => selectListQuery(snapshot));
  return (
    <section className={`stack gap-5 ${styles.section}`} aria-labelledby="users">
      <h2 id="users" tabIndex={-1} ref={claimSectionFocus}>
        {t("sections.users")}
      </h2>
      <Filters query={query} />
      <List
        list={list}
        failedText={t("users.failed")}
        emptyText={t("users.none")}
        countText={(total) => t("users.count", { n: number(total, i18n.language) })}
        searchOf={(page) => searchOf({ ...query, page })}
      >
        {(rows) => <Table rows={rows} />}
      </List>
    </section>
  );
}

/** Filters. The search term is in the address, and each keystroke replaces the history entry. */
function Filters({ query }: { query: UsersQuery }) {
  const { t } = useTranslation("admin");
  const narrow = useNarrow({ to: "/admin", read: usersQuery, write: searchOf });
  return (
    <search className={own.filters}>
      <TextField
        type="search"
        name="search"
        label={t("users.search")}
        autoComplete="off"
        defaultValue={query.search}
        onChange={(event) => narrow({ search: event.target.value })}
      />
      <ChoiceField
        label={t("users.plan")}
        name="plan"
        value={query.plan}
        values={userPlans}
        textOf={(plan) => t(`users.plans.${plan}`)}
        onChoose={(plan) => narrow({ plan })}
      />
      <ChoiceField
        label={t("users.sort")}
        name="sort"
        value={query.sort}
        values={userSorts}
        textOf={(sort) => t(`users.sorts.${sort}`)}
        onChoose={(sort) => narrow({ sort })}
      />
    </search>
  );
}

function Table({ rows }: { rows: readonly AdminUserRow[] }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <ListTable
      caption={t("sections.users")}
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        {
          name: t("user.person"),
          cell: ({ id, email, name }) => (
            <>
              <Link to="/admin" search={adminSearch("users", { user: id })} className={own.person}>
                {email}
              </Link>
              {name === "" ? null : <p className={table.soft}>{name}</p>}
            </>
          ),
        },
        { name: t("user.plan"), cell: (row) => <Badges row={row} /> },
        { name: t("user.registered"), cell: ({ createdAt }) => date(createdAt, i18n.language) },
        {
          name: t("user.seen"),
          cell: ({ lastSeenAt }) => (lastSeenAt === null ? t("user.never") : dateTime(lastSeenAt, i18n.language)),
        },
        {
          name: t("user.minutes"),
          look: "number",
          cell: ({ minutesThisMonth }) => minutes(minutesThisMonth, i18n.language),
        },
      ]}
    />
  );
}
