import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectRowActions } from "#machines/admin/row-actions.ts";
import { dateTime, languageName } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { openInboxActions, type WaitlistList } from "./inbox-actor.ts";
import own from "./inboxes.module.css";
import { List } from "./list.tsx";
import { ListTable } from "./list-table.tsx";

interface WaitlistProps {
  list: WaitlistList;
  searchOf(page: number): Record<string, string | number>;
}

/** The waiting list, the longest waiting first. */
export function Waitlist({ list, searchOf }: WaitlistProps) {
  const { t, i18n } = useTranslation("admin");
  const number = (total: number) => new Intl.NumberFormat(i18n.language).format(total);
  return (
    <List
      list={list}
      failedText={t("inbox.failed")}
      emptyText={t("inbox.nobodyWaits")}
      countText={(total) => t("inbox.waiting", { n: number(total) })}
      searchOf={searchOf}
    >
      {(rows) => (
        <div className={own.waitlist}>
          <Download />
          <ListTable caption={t("inbox.kinds.waitlist")} columns={[t("inbox.email"), t("inbox.language"), t("inbox.since")]}>
            {rows.map(({ email, language, joinedAt }) => (
              <tr key={email}>
                <th scope="row">{email}</th>
                <td data-label={t("inbox.language")}>{languageName(language, i18n.language)}</td>
                <td data-label={t("inbox.since")}>
                  <time dateTime={joinedAt}>{dateTime(joinedAt, i18n.language)}</time>
                </td>
              </tr>
            ))}
          </ListTable>
        </div>
      )}
    </List>
  );
}

function Download() {
  const { t } = useTranslation("admin");
  const actions = openInboxActions();
  const busy = useSelector(actions, (snapshot) => selectRowActions(snapshot).some(({ action }) => action === "download"));
  return (
    <Button
      icon="download"
      busy={busy}
      onClick={() => actions.send({ type: "rowAction.requested", rowAction: { action: "download", id: "waitlist" } })}
    >
      {t("inbox.download")}
    </Button>
  );
}
