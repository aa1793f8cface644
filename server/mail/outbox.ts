import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { MailTable } from "#server/db/schema.ts";
import { describeError, type Log } from "#server/log.ts";
import type { Mail } from "./emails.ts";

/** Sends one mail. @param replyTo where an answer goes; null: to the sender @throws when the mail server does not take it */
export type Deliver = (mail: Mail, replyTo: string | null) => Promise<void>;

/** What a mail has to do with whom, besides its recipient. */
export interface MailOwner {
  /** Whose account it is about. The mail goes with the account. Absent or null: nobody's. */
  userId?: string | null;
  /** Whose words it passes on: an answer goes there. It goes with the account of this address. */
  replyTo?: string | null;
}

/** What a mail server refuses or can't be asked is tried again after this long, doubled each time (milliseconds) … */
const firstPauseMs = 30_000;
const longestPauseMs = 60 * 60_000;
/** … until it is this old: what its links open has run out by then. */
const giveUpMs = 24 * 60 * 60_000;
/** Without a mail server, mails stay on the local page for this long. */
const keepMs = 7 * 24 * 60 * 60_000;
/** A process that died while sending holds a mail for this long. */
const leaseMs = 60_000;
/** How often the table is polled for mails of another process and for those whose pause is over (milliseconds). */
const defaultPollMs = 5_000;

export interface KeptMail extends Mail {
  id: string;
  /** Epoch ms. */
  created_at: number;
}

/**
 * Mails on their way. They are in the database first, so that an answer does not wait for a mail server, does not tell by its time
 * whether a mail was written, and none is lost.
 */
export interface Outbox {
  put(mail: Mail, owner?: MailOwner): Promise<void>;
  /** The newest ones, for the local page; undefined where there is a mail server. */
  kept: (() => Promise<KeptMail[]>) | undefined;
  close(): Promise<void>;
}

/** @param deliver undefined when no mail server is set up: mails are kept */
export function openOutbox(db: Db, now: () => number, log: Log, deliver: Deliver | undefined, pollMs = defaultPollMs): Outbox {
  let closed = false;
  let sending = Promise.resolve();
  const flush = () => {
    sending = sending.then(() => (deliver === undefined ? forgetKept(db, now()) : sendDue(db, now, log, deliver, () => closed)));
    sending = sending.catch((error: unknown) => log.error("mail", describeError(error)));
    return sending;
  };
  const timer = setInterval(flush, pollMs);
  void flush();
  return {
    put: async ({ recipient, subject, text, html }, { userId = null, replyTo = null } = {}) => {
      const at = now();
      const content = { recipient, subject, text, html, user_id: userId, reply_to: replyTo };
      await db
        .insertInto("mails")
        .values({ id: randomUUID(), ...content, created_at: at, next_at: at, attempts: 0 })
        .execute();
      void flush();
    },
    kept: deliver === undefined ? () => listKept(db) : undefined,
    close: () => {
      closed = true;
      clearInterval(timer);
      return sending;
    },
  };
}

/** The hundred newest mails that wait here. */
export function listKept(db: Db): Promise<KeptMail[]> {
  const columns = ["id", "recipient", "subject", "text", "html", "created_at"] as const;
  return db.selectFrom("mails").select(columns).orderBy("created_at", "desc").limit(100).execute();
}

/** The account goes, and with it every mail about it: to its address, to one that it was to move to, and with its owner's words. */
export async function forgetMailsOf(t: Db, user: { id: string; email: string }): Promise<void> {
  await t
    .deleteFrom("mails")
    .where((eb) => eb.or([eb("user_id", "=", user.id), eb("recipient", "=", user.email), eb("reply_to", "=", user.email)]))
    .execute();
}

async function forgetKept(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom("mails")
    .where("created_at", "<=", now - keepMs)
    .execute();
}

async function sendDue(db: Db, now: () => number, log: Log, deliver: Deliver, isClosed: () => boolean): Promise<void> {
  for (;;) {
    if (isClosed()) return;
    const mail = await claim(db, now());
    if (mail === undefined) return;
    try {
      await deliver(mail, mail.reply_to);
      // Its links are as good as passwords: nothing of it is kept.
      await db.deleteFrom("mails").where("id", "=", mail.id).execute();
    } catch (error) {
      await putOff(db, now(), mail, log, error);
    }
  }
}

/** Takes the oldest one that is due, so that no other process sends it, too; undefined when none is due. */
async function claim(db: Db, at: number): Promise<Selectable<MailTable> | undefined> {
  for (;;) {
    const due = await db
      .selectFrom("mails")
      .selectAll()
      .where("next_at", "<=", at)
      .orderBy("next_at")
      .limit(1)
      .executeTakeFirst();
    if (due === undefined) return undefined;
    const attempts = due.attempts + 1;
    const { numUpdatedRows } = await db
      .updateTable("mails")
      .set({ next_at: at + leaseMs, attempts })
      .where("id", "=", due.id)
      .where("next_at", "=", due.next_at)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return { ...due, attempts };
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
  // Neither the address nor the text is anybody's business.
  log.warn(tooOld ? "a mail was given up" : "a mail could not be sent", { attempts: mail.attempts, ...describeError(error) });
  if (tooOld) await db.deleteFrom("mails").where("id", "=", mail.id).execute();
  else
    await db
      .updateTable("mails")
      .set({ next_at: at + pause })
      .where("id", "=", mail.id)
      .execute();
}
