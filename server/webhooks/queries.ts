import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny, countRows, findsAny } from "#server/db/results.ts";
import type { EndingTable } from "#server/transcription/tables.ts";
import type { WebhookDeliveryTable, WebhookTable } from "./tables.ts";

export type WebhookRow = Selectable<WebhookTable>;
export type DeliveryRow = Selectable<WebhookDeliveryTable>;
export type EndingRow = Selectable<EndingTable>;

/** A user's webhooks, the oldest first. */
export function listWebhooks(db: Db, userId: string): Promise<WebhookRow[]> {
  return db.selectFrom("webhooks").selectAll().where("user_id", "=", userId).orderBy("created_at").orderBy("id").execute();
}

interface Owned {
  id: string;
  userId: string;
}

export function findWebhook(db: Db, { id, userId }: Owned): Promise<WebhookRow | undefined> {
  return db.selectFrom("webhooks").selectAll().where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
}

/** @param row times in epoch ms */
export async function insertWebhook(t: Db, row: WebhookRow): Promise<void> {
  await t.insertInto("webhooks").values(row).execute();
}

/** @returns the changed webhook; undefined when this user has none with this id */
export async function changeWebhook(
  t: Db,
  { id, userId }: Owned,
  change: Updateable<WebhookTable>,
): Promise<WebhookRow | undefined> {
  if (Object.keys(change).length === 0) return findWebhook(t, { id, userId });
  return t
    .updateTable("webhooks")
    .set(change)
    .where((eb) => eb.and({ id, user_id: userId }))
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a webhook with its deliveries. @returns whether there was one */
export function deleteWebhook(db: Db, { id, userId }: Owned): Promise<boolean> {
  return affectsAny(db.deleteFrom("webhooks").where((eb) => eb.and({ id, user_id: userId })));
}

/** Whether there are endings of transcriptions without messages yet. */
export function hasEndings(db: Db): Promise<boolean> {
  return findsAny(db.selectFrom("endings").select("id").limit(1));
}

/**
 * Takes some of the endings, so that no other process gets them. Call it in the transaction that writes their messages.
 */
export async function claimEndings(t: Db, atMost: number): Promise<EndingRow[]> {
  const found = await t.selectFrom("endings").select("id").limit(atMost).execute();
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  return t.deleteFrom("endings").where("id", "in", ids).returningAll().execute();
}

/** The newest deliveries of a webhook. */
export function listDeliveries(db: Db, webhookId: string, atMost: number): Promise<DeliveryRow[]> {
  const all = db.selectFrom("webhook_deliveries").selectAll().where("webhook_id", "=", webhookId);
  return all.orderBy("created_at", "desc").orderBy("id").limit(atMost).execute();
}

/** Counts a webhook's waiting messages, including held ones. */
export function countPending(t: Db, webhookId: string): Promise<number> {
  return countRows(
    t.selectFrom("webhook_deliveries").where("webhook_id", "=", webhookId).where("state", "in", ["waiting", "held"]),
  );
}

/** @param row times in epoch ms */
export async function insertDelivery(t: Db, row: Insertable<WebhookDeliveryTable>): Promise<void> {
  await t.insertInto("webhook_deliveries").values(row).execute();
}

/** A due delivery, with its webhook's address and secret. */
export type DueDelivery = Pick<
  DeliveryRow,
  "id" | "webhook_id" | "user_id" | "event" | "data" | "created_at" | "attempts" | "next_at"
> &
  Pick<WebhookRow, "url" | "secret">;

interface Claim {
  /** Epoch ms. */
  now: number;
  /** When another process may make the attempt, epoch ms. */
  leaseUntil: number;
  /** Users who already have the maximum of attempts in progress. */
  without: readonly string[];
}

/** Leases the delivery that is due first, and counts the attempt. @returns undefined when none is due */
export async function claimDelivery(db: Db, { now, leaseUntil, without }: Claim): Promise<DueDelivery | undefined> {
  for (;;) {
    const due = await findDue(db, now, without);
    if (due === undefined) return undefined;
    const attempts = due.attempts + 1;
    const { numUpdatedRows } = await db
      .updateTable("webhook_deliveries")
      .set({ attempts, attempted_at: now, next_at: leaseUntil })
      .where((eb) => eb.and({ id: due.id, state: "waiting", next_at: due.next_at }))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return { ...due, attempts };
  }
}

function findDue(db: Db, now: number, without: readonly string[]): Promise<DueDelivery | undefined> {
  const due = db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhooks", "webhooks.id", "webhook_deliveries.webhook_id")
    .innerJoin("users", "users.id", "webhook_deliveries.user_id")
    .select([
      "webhook_deliveries.id",
      "webhook_deliveries.webhook_id",
      "webhook_deliveries.user_id",
      "webhook_deliveries.event",
      "webhook_deliveries.data",
      "webhook_deliveries.created_at",
      "webhook_deliveries.attempts",
      "webhook_deliveries.next_at",
      "webhooks.url",
      "webhooks.secret",
    ])
    .where("webhook_deliveries.state", "=", "waiting")
    .where("webhook_deliveries.next_at", "<=", now)
    .where("users.blocked_at", "is", null);
  const free = without.length === 0 ? due : due.where("webhook_deliveries.user_id", "not in", without);
  return free.orderBy("webhook_deliveries.next_at").limit(1).executeTakeFirst();
}

/**
 * @param attempts the attempt count at claim time
 * @returns false, without a change, when another attempt has begun since
 */
export function changeDelivery(
  t: Db,
  { id, attempts }: Pick<DeliveryRow, "id" | "attempts">,
  change: Updateable<WebhookDeliveryTable>,
): Promise<boolean> {
  return affectsAny(
    t
      .updateTable("webhook_deliveries")
      .set(change)
      .where((eb) => eb.and({ id, attempts })),
  );
}

/** Restarts a delivery. @param at epoch ms @returns the delivery; undefined when this webhook has none with this id */
export function beginAgain(t: Db, webhookId: string, id: string, at: number): Promise<DeliveryRow | undefined> {
  return t
    .updateTable("webhook_deliveries")
    .set({ state: "waiting", attempts: 0, next_at: at })
    .where((eb) => eb.and({ id, webhook_id: webhookId }))
    .returningAll()
    .executeTakeFirst();
}

/** Holds a webhook's waiting messages, or resumes them. @param at when they are due, epoch ms */
export async function changePending(t: Db, webhookId: string, to: "held" | "waiting", at: number): Promise<void> {
  await t
    .updateTable("webhook_deliveries")
    .set({ state: to, next_at: at })
    .where((eb) => eb.and({ webhook_id: webhookId, state: to === "held" ? "waiting" : "held" }))
    .execute();
}

/** A user's deliveries for the export, without the webhooks' secrets. */
export function listDeliveriesOf(db: Db, userId: string) {
  return db
    .selectFrom("webhook_deliveries")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

/** @param by epoch ms */
export async function deleteDeliveriesMadeBy(db: Db, by: number): Promise<void> {
  await db.deleteFrom("webhook_deliveries").where("created_at", "<=", by).execute();
}
