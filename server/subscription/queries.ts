import type { Expression, ExpressionBuilder, Insertable, Selectable, SqlBool, Updateable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { Schema } from "#server/db/schema.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { Problem } from "#server/errors/problem.ts";
import { updateUser } from "#server/users/queries.ts";
import type { SubscriptionTable } from "./tables.ts";

export type SubscriptionRow = Selectable<SubscriptionTable>;
type Provider = NonNullable<SubscriptionRow["provider"]>;

/** SPEC.md section 4, "Subscription": active or trialing means premium. */
const premium: readonly string[] = ["active", "trialing"];
export const isPremiumStatus = (status: string | undefined): boolean => status !== undefined && premium.includes(status);

/** Premium, or past due: the provider goes on charging for it, so a second subscription would be charged, too. */
export const isRunningStatus = (status: string | undefined): boolean => isPremiumStatus(status) || status === "past_due";

/** @throws Problem `conflict` when the user has a running subscription */
export function refuseSecond(row: SubscriptionRow | undefined): void {
  if (isRunningStatus(row?.status)) throw new Problem("conflict", "You already have a subscription.");
}

/** Premium subscriptions come first, then past due ones, so that an ended one never hides a running one. */
const bestFirst = (db: Db, userId: string) =>
  db
    .selectFrom("subscriptions")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy((eb) => eb.case().when("status", "in", premium).then(0).when("status", "=", "past_due").then(1).else(2).end())
    .orderBy("created_at", "desc");

/** A user's running subscription, else the latest. */
export function findSubscription(db: Db, userId: string): Promise<SubscriptionRow | undefined> {
  return bestFirst(db, userId).executeTakeFirst();
}

export function findSubscriptionById(db: Db, id: string): Promise<SubscriptionRow | undefined> {
  return db.selectFrom("subscriptions").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The running subscription with this provider, else the latest with it. */
export function findSubscriptionWith(db: Db, provider: Provider, userId: string): Promise<SubscriptionRow | undefined> {
  return bestFirst(db, userId).where("provider", "=", provider).executeTakeFirst();
}

/** A user's running subscriptions with a provider: more than one if the user has paid twice. */
export async function listRunning(db: Db, provider: Provider, userId: string): Promise<SubscriptionRow[]> {
  const rows = await bestFirst(db, userId).where("provider", "=", provider).execute();
  return rows.filter(({ status }) => isRunningStatus(status));
}

/** @returns the id of the user with this external subscription id */
export async function findSubscriber(db: Db, provider: Provider, externalId: string): Promise<string | undefined> {
  const known = db.selectFrom("subscriptions").select("user_id").where("provider", "=", provider);
  return (await known.where("external_id", "=", externalId).executeTakeFirst())?.user_id;
}

/**
 * Subscriptions whose period is over.
 * @param provider null: granted ones
 * @param at epoch ms
 */
export function listDueSubscriptions(
  db: Db,
  provider: Provider | null,
  statuses: readonly string[],
  at: number,
): Promise<SubscriptionRow[]> {
  return db
    .selectFrom("subscriptions")
    .selectAll()
    .where("provider", provider === null ? "is" : "=", provider)
    .where("status", "in", statuses)
    .where("period_end", "<=", at)
    .execute();
}

/** Adds a subscription without a provider. A provider's subscription is stored by `storeSubscription`. */
export async function insertSubscription(t: Db, row: Insertable<SubscriptionTable>): Promise<void> {
  await t.insertInto("subscriptions").values(row).execute();
}

/** Changes a granted subscription. When its status changes, call `keepPlanType`. @param change times in epoch ms */
export async function updateSubscription(t: Db, id: string, change: Updateable<SubscriptionTable>): Promise<void> {
  await t.updateTable("subscriptions").set(change).where("id", "=", id).execute();
}

/** A condition for queries of `users`: the user has a premium subscription. */
export function isPremiumNow(eb: ExpressionBuilder<Schema, "users">): Expression<SqlBool> {
  const own = eb.selectFrom("subscriptions").select("subscriptions.id").whereRef("subscriptions.user_id", "=", "users.id");
  return eb.exists(own.where("subscriptions.status", "in", premium));
}

/**
 * Stores a subscription as its provider returned it, identified by provider and external id. An answer requested before
 * the stored one (`synced_at`) is ignored, so that updates may arrive in any order.
 */
export function storeSubscription(db: Db, row: Insertable<SubscriptionTable>): Promise<void> {
  return inTransaction(db, async (t) => {
    const { status, plan, interval, period_end, cancel_at_period_end, synced_at, customer_id } = row;
    await t
      .insertInto("subscriptions")
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(["provider", "external_id"])
          .doUpdateSet({ status, plan, interval, period_end, cancel_at_period_end, synced_at, customer_id })
          .where("subscriptions.synced_at", "<=", row.synced_at),
      )
      .execute();
    await keepPlanType(t, row.user_id);
  });
}

/** Updates the profile's plan from the subscriptions. */
export async function keepPlanType(t: Db, userId: string): Promise<void> {
  const current = await findSubscription(t, userId);
  const planType = isPremiumStatus(current?.status) ? "premium" : "free";
  await updateUser(t, userId, { plan_type: planType });
}
