import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectRowActions } from "#machines/admin/row-actions.ts";
import { dateTime, languageName, number } from "#src/i18n/format.ts";
import { Button } from "#src/ui/button.tsx";
import { openInboxActions, type WaitlistList } from "./inbox-actor.ts";
import own from "./inboxes.module.css";
import { List } from "./list.tsx";
import { ListTable } from "./list-table.tsx";

interface WaitlistProps {
  list: WaitlistList;
  searchOf(page: number): Record<string, string | number>;
}

/** The waiting list, the oldest entry first. */
export function Waitlist({ list, searchOf }: WaitlistProps) {
  const { t, i18n } = useTranslation("admin");
  return (
    <List
      list={list}
      failedText={t("inbox.failed")}
      emptyText={t("inbox.nobodyWaits")}
      countText={(total) => t("inbox.waiting", { n: number(total, i18n.language) })}
      searchOf={searchOf}
    >
      {(rows) => (
        <div className={`stack ${own.waitlist}`}>
          <Download />
          <ListTable
            caption={t("inbox.kinds.waitlist")}
            rows={rows}
            keyOf={({ email }) => email}
            columns={[
              { name: t("inbox.email"), cell: ({ email }) => email },
              { name: t("inbox.language"), cell: ({ language }) => languageName(language, i18n.language) },
              {
                name: t("inbox.since"),
                cell: ({ joinedAt }) => <time dateTime={joinedAt}>{dateTime(joinedAt, i18n.language)}</time>,
              },
            ]}
          />
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
