import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import { selectAskedRowAction, selectRowActionFailure } from "#machines/admin/row-actions.ts";
import { useNarrow } from "#src/browser/narrow.ts";
import { number } from "#src/i18n/format.ts";
import { ConfirmDialog } from "#src/ui/dialog.tsx";
import { ChoiceField } from "#src/ui/field.tsx";
import { Notice } from "#src/ui/notice.tsx";
import styles from "./admin.module.css";
import {
  closeInbox,
  type InboxSearch,
  inboxAsked,
  inboxBoxes,
  inboxSearch,
  inboxStates,
  type MessageList,
  openInbox,
  openInboxActions,
  type WaitlistList,
} from "./inbox-actor.ts";
import own from "./inboxes.module.css";
import { List } from "./list.tsx";
import { Message } from "./message.tsx";
import { type AdminSection, claimSectionFocus } from "./section.ts";
import { Waitlist } from "./waitlist.tsx";

export const inboxes: AdminSection = {
  enter: (search) => <Inboxes {...openInbox(search)} />,
  leave: closeInbox,
};

interface InboxesProps {
  search: InboxSearch;
  messages: MessageList | null;
  waitlist: WaitlistList | null;
}

/** Messages of people, and entries of the waiting list. */
function Inboxes({ search, messages, waitlist }: InboxesProps) {
  const { t } = useTranslation("admin");
  const failure = useSelector(openInboxActions(), selectRowActionFailure);
  return (
    <section className={styles.section} aria-labelledby="inbox">
      <h2 id="inbox" tabIndex={-1} ref={claimSectionFocus}>
        {t("sections.inbox")}
      </h2>
      <Filters search={search} />
      {failure === null ? null : (
        <Notice tone="danger">
          <strong>{t("inbox.notWorked")}</strong>
          <p>{t(`errors.${failure}`)}</p>
        </Notice>
      )}
      {messages === null ? null : <Messages list={messages} search={search} />}
      {waitlist === null ? null : <Waitlist list={waitlist} searchOf={(page) => inboxSearch({ ...search, page })} />}
      <Question />
    </section>
  );
}

/** The filters are in the address. */
function Filters({ search }: { search: InboxSearch }) {
  const { t } = useTranslation("admin");
  const narrow = useNarrow({ to: "/admin", read: inboxAsked, write: inboxSearch });
  return (
    <search className={own.filters}>
      <ChoiceField
        label={t("inbox.kind")}
        name="kind"
        value={search.kind}
        values={inboxBoxes}
        textOf={(kind) => t(`inbox.kinds.${kind}`)}
        onChoose={(kind) => narrow({ kind })}
      />
      {search.kind === "waitlist" ? null : (
        <ChoiceField
          label={t("inbox.state")}
          name="state"
          value={search.state}
          values={inboxStates}
          textOf={(state) => t(`inbox.states.${state}`)}
          onChoose={(state) => narrow({ state })}
        />
      )}
    </search>
  );
}

function Messages({ list, search }: { list: MessageList; search: InboxSearch }) {
  const { t, i18n } = useTranslation("admin");
  return (
    <List
      list={list}
      failedText={t("inbox.failed")}
      emptyText={t(search.state === "open" ? "inbox.noneOpen" : "inbox.none")}
      countText={(total) => t("inbox.count", { n: number(total, i18n.language) })}
      searchOf={(page) => inboxSearch({ ...search, page })}
    >
      {(rows) => (
        <ul className={own.messages}>
          {rows.map((message) => (
            <li key={message.id}>
              <Message message={message} />
            </li>
          ))}
        </ul>
      )}
    </List>
  );
}

/** Deleting asks for confirmation. */
function Question() {
  const { t } = useTranslation("admin");
  const actions = openInboxActions();
  const asked = useSelector(actions, selectAskedRowAction);
  if (asked === null) return null;
  return (
    <ConfirmDialog
      title={t("inbox.deleteTitle")}
      text={t("inbox.deleteText")}
      confirmLabel={t("inbox.deleteConfirm")}
      cancelLabel={t("inbox.keep")}
      onConfirm={() => actions.send({ type: "rowAction.confirmed" })}
      onCancel={() => actions.send({ type: "rowAction.dismissed" })}
    />
  );
}
