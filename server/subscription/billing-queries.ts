import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { User } from "#server/users/tables.ts";
import type { BillingPageTable, InvoiceTable } from "./tables.ts";

export type InvoiceRow = Selectable<InvoiceTable>;

/** Stores a page of the test payments. @param page with the SHA-256 of its token; `expires_at` in epoch ms */
export async function insertBillingPage(db: Db, page: Insertable<BillingPageTable>): Promise<void> {
  await db.insertInto("billing_pages").values(page).execute();
}

/** A page of the test payments and the language of its person; also if expired. */
export function findBillingPage(
  db: Db,
  hash: string,
): Promise<(Selectable<BillingPageTable> & Pick<User, "language">) | undefined> {
  const pages = db.selectFrom("billing_pages").innerJoin("users", "users.id", "billing_pages.user_id");
  return pages.selectAll("billing_pages").select("users.language").where("hash", "=", hash).executeTakeFirst();
}

/** Marks a page as paid (compare-and-set). @returns false when it was paid before */
export async function finishBillingPage(db: Db, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("billing_pages")
    .set({ done: 1 })
    .where("hash", "=", hash)
    .where("done", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** @param now epoch ms */
export async function deleteExpiredBillingPages(db: Db, now: number): Promise<void> {
  await db.deleteFrom("billing_pages").where("expires_at", "<=", now).execute();
}

/** @param invoice `amount` in the currency's smallest unit; `created_at` in epoch ms */
export async function insertInvoice(db: Db, invoice: Insertable<InvoiceTable>): Promise<void> {
  await db.insertInto("invoices").values(invoice).execute();
}

/** A person's hundred newest invoices, the newest first. */
export function listInvoices(db: Db, userId: string): Promise<InvoiceRow[]> {
  return db.selectFrom("invoices").selectAll().where("user_id", "=", userId).orderBy("created_at", "desc").limit(100).execute();
}

export async function voidOpenInvoices(db: Db, subscriptionId: string): Promise<void> {
  await db
    .updateTable("invoices")
    .set({ status: "void" })
    .where("subscription_id", "=", subscriptionId)
    .where("status", "=", "open")
    .execute();
}

/** Whether a provider's event was processed before. */
export async function isBillingEventKnown(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom("billing_events").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** Records a provider's event; no effect when it is known. @param receivedAt epoch ms */
export async function insertBillingEvent(db: Db, id: string, receivedAt: number): Promise<void> {
  await db
    .insertInto("billing_events")
    .values({ id, received_at: receivedAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @param receivedBy epoch ms */
export async function deleteBillingEventsReceivedBy(db: Db, receivedBy: number): Promise<void> {
  await db.deleteFrom("billing_events").where("received_at", "<=", receivedBy).execute();
}
