import { useSelector } from "@xstate/react";
import type { MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import type { InboxMessage } from "#contract/index.ts";
import { selectRowActions } from "#machines/admin/row-actions.ts";
import { dateTime, languageName } from "#src/i18n/format.ts";
import { Badge } from "#src/ui/badge.tsx";
import { Button, buttonClass, IconButton } from "#src/ui/button.tsx";
import { openInboxActions } from "./inbox-actor.ts";
import own from "./inboxes.module.css";

/** Email programs accept no longer address than this; the rest of the text is cut off. */
const quoted = 1000;

/** The row disappears: its section's heading takes the focus. */
const focusHeading = ({ currentTarget }: MouseEvent) => currentTarget.closest("section")?.querySelector("h2")?.focus();

/** One message, and the actions on it. */
export function Message({ message }: { message: InboxMessage }) {
  const { t, i18n } = useTranslation("admin");
  const { id, kind, name, email, rating, text, language, createdAt, handledAt } = message;
  const who = name === "" ? email : name;
  return (
    <article className={own.message} aria-labelledby={`message-${id}`}>
      <header>
        <h3 id={`message-${id}`}>{who}</h3>
        <p className={own.facts}>
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
      <p className={own.text} lang={language}>
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
    <div className={own.actions}>
      <a className={buttonClass("secondary")} href={replyTo(email, t("inbox.subject"), text)}>
        {t("inbox.reply")}
      </a>
      <Button
        icon={done ? "undo" : "check"}
        busy={busy}
        onClick={(event) => {
          focusHeading(event);
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
