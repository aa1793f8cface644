import { type Insertable, type Selectable, sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { MailTable } from "./tables.ts";

export type MailRow = Selectable<MailTable>;

const kept = ["id", "recipient", "subject", "text", "html", "created_at"] as const;
export type StoredMail = Pick<MailRow, (typeof kept)[number]>;

/** Adds an email to the outbox. @param mail times in epoch ms */
export async function insertMail(db: Db, mail: Insertable<MailTable>): Promise<void> {
  await db.insertInto("mails").values(mail).execute();
}

/** The hundred newest mails that wait here. */
export function listStoredMails(db: Db): Promise<StoredMail[]> {
  return db.selectFrom("mails").select(kept).orderBy("created_at", "desc").limit(100).execute();
}

/**
 * Leases the due e-mail that is first, so that no other process sends it, too.
 * @param now epoch ms
 * @param leaseUntil end of the lease, epoch ms
 * @returns undefined if none is due
 */
export async function claimMail(db: Db, now: number, leaseUntil: number): Promise<MailRow | undefined> {
  for (;;) {
    const due = await db
      .selectFrom("mails")
      .selectAll()
      .where("next_at", "<=", now)
      .orderBy("next_at")
      .limit(1)
      .executeTakeFirst();
    if (due === undefined) return undefined;
    const attempts = due.attempts + 1;
    const { numUpdatedRows } = await db
      .updateTable("mails")
      .set({ next_at: leaseUntil, attempts })
      .where("id", "=", due.id)
      .where("next_at", "=", due.next_at)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return { ...due, attempts };
  }
}

/** @param nextAt time of the next attempt, epoch ms */
export async function postponeMail(db: Db, id: string, nextAt: number): Promise<void> {
  await db.updateTable("mails").set({ next_at: nextAt }).where("id", "=", id).execute();
}

/** Deletes an email completely. No effect when it is gone. */
export async function deleteMail(db: Db, id: string): Promise<void> {
  await db.deleteFrom("mails").where("id", "=", id).execute();
}

/** @param createdBy epoch ms */
export async function deleteMailsCreatedBy(db: Db, createdBy: number): Promise<void> {
  await db.deleteFrom("mails").where("created_at", "<=", createdBy).execute();
}

/** Deletes every email about an account: to its address, to a requested new one, and with its owner's words. */
export async function deleteMailsAbout(t: Db, user: { id: string; email: string }): Promise<void> {
  await t
    .deleteFrom("mails")
    .where((eb) => eb.or([eb("user_id", "=", user.id), eb("recipient", "=", user.email), eb("reply_to", "=", user.email)]))
    .execute();
}

/** The number of waiting e-mails, and of those that have failed at least once. */
export async function countMails(db: Db): Promise<{ waiting: number; stuck: number }> {
  const row = await db
    .selectFrom("mails")
    .select([sql<number>`count(*)`.as("waiting"), sql<number | null>`sum(case when attempts > 0 then 1 else 0 end)`.as("stuck")])
    .executeTakeFirstOrThrow();
  return { waiting: Number(row.waiting), stuck: Number(row.stuck ?? 0) };
}
