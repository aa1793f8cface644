import type { Expression, ExpressionBuilder, Insertable, Selectable, SqlBool } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { Schema, SubscriptionTable } from "#server/db/schema.ts";

export type SubscriptionRow = Selectable<SubscriptionTable>;

/** SPEC.md section 4, "Subscription": active or trialing means premium. */
const premium: readonly string[] = ["active", "trialing"];
export const isPremiumStatus = (status: string | undefined): boolean => status !== undefined && premium.includes(status);

/** A person's subscription: the latest one, whatever its status. */
export function findSubscription(db: Db, userId: string): Promise<SubscriptionRow | undefined> {
  return db
    .selectFrom("subscriptions")
    .selectAll()
    .where("user_id", "=", userId)
    .orderBy("created_at", "desc")
    .executeTakeFirst();
}

/** For queries of `users`: whose latest subscription says so. */
export function isPremiumNow(eb: ExpressionBuilder<Schema, "users">): Expression<SqlBool> {
  const status = eb
    .selectFrom("subscriptions")
    .select("subscriptions.status")
    .whereRef("subscriptions.user_id", "=", "users.id")
    .orderBy("subscriptions.created_at", "desc")
    .limit(1);
  return eb(status, "in", [...premium]);
}

/**
 * Stores a subscription as its provider has it; known by provider and external id. What was asked of the provider before the stored
 * state was (`synced_at`) is older and changes nothing: so news may come in any order.
 */
export function storeSubscription(db: Db, row: Insertable<SubscriptionTable>): Promise<void> {
  return db.transaction().execute(async (t) => {
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

/** What the profile tells follows the latest subscription. */
export async function keepPlanType(t: Db, userId: string): Promise<void> {
  const current = await findSubscription(t, userId);
  const planType = isPremiumStatus(current?.status) ? "premium" : "free";
  await t.updateTable("users").set({ plan_type: planType }).where("id", "=", userId).execute();
}
