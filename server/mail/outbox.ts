import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { MailState } from "#contract/index.ts";
import type { Bus } from "#server/bus/bus.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { startPoller } from "#server/polling/poller.ts";
import type { Mail } from "./emails.ts";
import {
  claimMail,
  deleteMail,
  deleteMailsCreatedBy,
  insertMail,
  listStoredMails,
  postponeMail,
  type StoredMail,
} from "./queries.ts";

/** Sends one email. @param replyTo the address for answers; null: the sender @throws when the mail server rejects it */
export type Deliver = (mail: Mail, replyTo: string | null) => Promise<void>;

/** The persons that an email refers to, besides its recipient. */
interface MailOwner {
  /** The account it is about. The email is deleted with the account. Absent or null: none. */
  userId?: string | null;
  /** The author of quoted words, who gets the answer. The email is deleted with the account of this address. */
  replyTo?: string | null;
}

/** Delay before a failed email is retried, doubled each time (milliseconds) … */
const firstPauseMs = 30_000;
const longestPauseMs = 60 * 60_000;
/** … until it is this old: its links have expired by then. */
const giveUpMs = 24 * 60 * 60_000;
/** Without a mail server, emails stay on the local page for this long. */
const keepMs = 7 * 24 * 60 * 60_000;
/** Lease of an email: after a crash while sending, others wait this long. */
const leaseMs = 60_000;
/** The ms for which a check of the mail server is valid, and its time limit. */
const checkedMs = 60_000;
const checkTimeoutMs = 2_000;
/**
 * The ms between polls of the table for due retries, and for e-mails of other processes in case a bus message is lost.
 */
const defaultPollMs = 5_000;

/**
 * The outbox of e-mails. They are stored in the database first, so that no answer waits for a mail server, its timing
 * does not reveal whether an e-mail was sent, and none is lost.
 */
export interface Outbox {
  put(mail: Mail, owner?: MailOwner): Promise<void>;
  /**
   * The current state of e-mail delivery, independent of any e-mail: an answer with it does not reveal whether one was
   * written.
   */
  state(): Promise<MailState>;
  /** The newest ones, for the local page; undefined with a mail server. */
  kept: (() => Promise<StoredMail[]>) | undefined;
  close(): Promise<void>;
}

interface MailServer {
  deliver: Deliver;
  /** @throws if it can't be reached or refuses the sign-in */
  check(): Promise<void>;
}

interface OutboxParts extends DbParts {
  log: Log;
  bus: Bus;
}

/** @param server undefined without a mail server: e-mails stay in the database */
export function openOutbox({ db, now, log, bus }: OutboxParts, server: MailServer | undefined, pollMs = defaultPollMs): Outbox {
  const deliver = server?.deliver;
  const state = server === undefined ? async (): Promise<MailState> => "none" : watchServer(server, now);
  let closed = false;
  const poller = startPoller({ name: "mail", log, pollMs, due: { bus, topic: "mails.added" } }, () =>
    deliver === undefined ? deleteMailsCreatedBy(db, now() - keepMs) : sendDue(db, now, log, deliver, () => closed),
  );
  return {
    put: async ({ recipient, subject, text, html }, { userId = null, replyTo = null } = {}) => {
      const at = now();
      const content = { recipient, subject, text, html, user_id: userId, reply_to: replyTo };
      await insertMail(db, { id: randomUUID(), ...content, created_at: at, next_at: at, attempts: 0 });
      bus.publish("mails.added");
    },
    state,
    kept: deliver === undefined ? () => listStoredMails(db) : undefined,
    close: () => {
      closed = true;
      return poller.close();
    },
  };
}

/** Whether the mail server accepts e-mails: checked at most once a minute, for no longer than a person would wait. */
function watchServer({ check }: MailServer, now: () => number): () => Promise<MailState> {
  let known: { at: number; state: Promise<MailState> } | undefined;
  const ask = (): Promise<MailState> => {
    const late = setTimeout(checkTimeoutMs, "delayed" as const, { ref: false });
    const asked = check().then(
      () => "sent" as const,
      () => "delayed" as const,
    );
    return Promise.race([asked, late]);
  };
  return () => {
    if (known === undefined || now() >= known.at + checkedMs) known = { at: now(), state: ask() };
    return known.state;
  };
}

async function sendDue(db: Db, now: () => number, log: Log, deliver: Deliver, isClosed: () => boolean): Promise<void> {
  for (;;) {
    if (isClosed()) return;
    const at = now();
    const mail = await claimMail(db, at, at + leaseMs);
    if (mail === undefined) return;
    try {
      await deliver(mail, mail.reply_to);
      // Its links are as good as passwords, so it is deleted completely.
      await deleteMail(db, mail.id);
    } catch (error) {
      await putOff(db, now(), mail, log, error);
    }
  }
}

async function putOff(
  db: Db,
  at: number,
  mail: { id: string; attempts: number; created_at: number },
  log: Log,
  error: unknown,
): Promise<void> {
  const pause = Math.min(longestPauseMs, firstPauseMs * 2 ** (mail.attempts - 1));
  const tooOld = at + pause - mail.created_at > giveUpMs;
  // Neither address nor text may be logged.
  log.warn(tooOld ? "e-mail not delivered, no more attempts" : "e-mail not sent", {
    attempts: mail.attempts,
    ...describeError(error),
  });
  if (tooOld) await deleteMail(db, mail.id);
  else await postponeMail(db, mail.id, at + pause);
}
