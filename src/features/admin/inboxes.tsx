import { useSelector } from "@xstate/react";
import { useTranslation } from "react-i18next";
import type { InboxMessage } from "#contract/index.ts";
import { selectRowActionFailure, selectRowActions } from "#machines/admin/row-actions.ts";
import { useNarrow } from "#src/browser/narrow.ts";
import { dateTime, languageName, number } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { Button, buttonClass, IconButton } from "#src/ui/button.tsx";
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
import { focusSection, RowActionQuestion } from "./row-action.tsx";
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
    <section className={`stack gap-5 ${styles.section}`} aria-labelledby="inbox">
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
      <RowActionQuestion
        actions={openInboxActions()}
        texts={{
          title: t("inbox.deleteTitle"),
          text: t("inbox.deleteText"),
          confirmLabel: t("inbox.deleteConfirm"),
          cancelLabel: t("inbox.keep"),
        }}
      />
    </section>
  );
}

/** Filters. Their values are in the address. */
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
        <ul className="stack">
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

/** Characters of the message to quote. Email programs accept no longer address; the rest is cut off. */
const quoted = 1000;

function Message({ message }: { message: InboxMessage }) {
  const { t, i18n } = useTranslation("admin");
  const { id, kind, name, email, rating, text, language, createdAt, handledAt } = message;
  const who = name === "" ? email : name;
  return (
    <article className={`card stack anywhere ${own.message}`} aria-labelledby={`message-${id}`}>
      <header className="stack gap-1">
        <h3 className="size-3" id={`message-${id}`}>
          {who}
        </h3>
        <p className="facts">
          <Badge>{t(`inbox.kinds.${kind}`)}</Badge>
          {handledAt === null ? null : (
            <Badge tone="good">{t("inbox.doneOn", { date: dateTime(handledAt, i18n.language) })}</Badge>
          )}
          {rating === null ? null : <span>{t("inbox.rating", { rating })}</span>}
          <time dateTime={createdAt}>{dateTime(createdAt, i18n.language)}</time>
          <span>{languageName(language, i18n.language)}</span>
          {name === "" ? null : <span>{email}</span>}
        </p>
      </header>
      <p className="measure as-written" lang={language}>
        {text}
      </p>
      <Actions message={message} who={who} />
    </article>
  );
}

function Actions({ message: { id, email, text, handledAt }, who }: { message: InboxMessage; who: string }) {
  const { t } = useTranslation("admin");
  const actions = openInboxActions();
  const busy = useSelector(actions, (snapshot) => selectRowActions(snapshot).some((rowAction) => rowAction.id === id));
  const want = (action: string) => actions.send({ type: "rowAction.requested", rowAction: { action, id } });
  const done = handledAt !== null;
  return (
    <div className="row">
      <a className={buttonClass("secondary")} href={replyTo(email, t("inbox.subject"), text)}>
        {t("inbox.reply")}
      </a>
      <Button
        icon={done ? "undo" : "check"}
        busy={busy}
        onClick={(event) => {
          focusSection(event);
          want(done ? "open" : "done");
        }}
      >
        {t(done ? "inbox.reopen" : "inbox.markDone")}
      </Button>
      <IconButton icon="trash" label={t("inbox.delete", { name: who })} onClick={() => want("delete")} />
    </div>
  );
}

/** A `mailto:` address that quotes the message below the answer. */
function replyTo(email: string, subject: string, text: string): string {
  const lines = text.slice(0, quoted).split("\n");
  const body = `\n\n${lines.map((line) => `> ${line}`).join("\n")}`;
  const address = encodeURIComponent(email).replace("%40", "@");
  return `mailto:${address}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body.replaceAll("\n", "\r\n"))}`;
}
