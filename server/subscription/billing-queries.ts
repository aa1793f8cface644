import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny, findsAny } from "#server/db/results.ts";
import type { User } from "#server/users/tables.ts";
import type { BillingPageTable, CheckoutTable, InvoiceTable } from "./tables.ts";

export type InvoiceRow = Selectable<InvoiceTable>;

/** Stores a page of the test payments. @param page with the SHA-256 of its token; `expires_at` in epoch ms */
export async function insertBillingPage(db: Db, page: Insertable<BillingPageTable>): Promise<void> {
  await db.insertInto("billing_pages").values(page).execute();
}

/** A page of the test payments and the language of its user, even if expired. */
export function findBillingPage(
  db: Db,
  hash: string,
): Promise<(Selectable<BillingPageTable> & Pick<User, "language">) | undefined> {
  const pages = db.selectFrom("billing_pages").innerJoin("users", "users.id", "billing_pages.user_id");
  return pages.selectAll("billing_pages").select("users.language").where("hash", "=", hash).executeTakeFirst();
}

/** Marks a page as paid (compare-and-set). @param now epoch ms @returns false when it was paid before, or is closed */
export function finishBillingPage(t: Db, hash: string, now: number): Promise<boolean> {
  const open = t.updateTable("billing_pages").where("hash", "=", hash).where("done", "=", 0).where("expires_at", ">", now);
  return affectsAny(open.set({ done: 1 }));
}

/** Closes the pages on which a user can still pay for a subscription. @param now epoch ms */
export async function closeCheckoutPages(t: Db, userId: string, now: number): Promise<void> {
  const open = t.updateTable("billing_pages").where("user_id", "=", userId).where("kind", "=", "checkout").where("done", "=", 0);
  await open.where("expires_at", ">", now).set({ expires_at: now }).execute();
}

/** @param expiredBy epoch ms */
export async function deleteBillingPagesExpiredBy(db: Db, expiredBy: number): Promise<void> {
  await db.deleteFrom("billing_pages").where("expires_at", "<=", expiredBy).execute();
}

export function findCheckout(db: Db, userId: string): Promise<Selectable<CheckoutTable> | undefined> {
  return db.selectFrom("checkouts").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** @param madeBy epoch ms */
export async function deleteCheckoutsMadeBy(db: Db, madeBy: number): Promise<void> {
  await db.deleteFrom("checkouts").where("made_at", "<=", madeBy).execute();
}

/**
 * Stores a payment page in place of the earlier one (compare-and-set).
 * @param earlier the `session_id` that was found; undefined: none
 * @returns false when another page was stored in the meantime
 */
export async function keepCheckout(db: Db, checkout: CheckoutTable, earlier: string | undefined): Promise<boolean> {
  if (earlier !== undefined) {
    const same = db.updateTable("checkouts").where("user_id", "=", checkout.user_id).where("session_id", "=", earlier);
    return affectsAny(same.set(checkout));
  }
  const first = db.insertInto("checkouts").values(checkout);
  return findsAny(first.onConflict((conflict) => conflict.doNothing()).returning("user_id"));
}

/** @param invoice `amount` in the currency's smallest unit; `created_at` in epoch ms */
export async function insertInvoice(db: Db, invoice: Insertable<InvoiceTable>): Promise<void> {
  await db.insertInto("invoices").values(invoice).execute();
}

/** A user's hundred newest invoices, the newest first. */
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
