import { randomUUID } from "node:crypto";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import {
  findSubscription,
  insertSubscription,
  isPremiumStatus,
  keepPlanType,
  listDueSubscriptions,
  type SubscriptionRow,
  updateSubscription,
} from "./queries.ts";

/** Final statuses, after which no payments follow. */
const over: readonly string[] = ["canceled", "incomplete_expired"];

/** Whether it belongs to a payment provider and is not final. Then only the provider may change it. */
export const isPaid = (row: SubscriptionRow | undefined): boolean =>
  row !== undefined && row.provider !== null && !over.includes(row.status);

/** Whether it was granted by a superuser and has not ended. */
export const isGranted = (row: SubscriptionRow | undefined): boolean =>
  row !== undefined && row.provider === null && isPremiumStatus(row.status);

/**
 * Grants premium until a time, or changes the end of the current grant. Call it in a transaction.
 * @param until epoch ms
 * @returns the subscription before; undefined without a current grant
 * @throws Problem `badRequest` for a time in the past, `conflict` for a paying user
 */
export async function grantUntil(t: Db, userId: string, until: number, at: number): Promise<SubscriptionRow | undefined> {
  if (until <= at) throw new Problem("badRequest", "periodEnd: must be in the future.");
  const current = await findSubscription(t, userId);
  if (isPaid(current)) throw new Problem("conflict", "This person pays for a subscription. Cancel it first, or let it end.");
  if (isGranted(current)) {
    await updateSubscription(t, current?.id ?? "", { period_end: until, synced_at: at });
    return current;
  }
  await insertSubscription(t, {
    id: randomUUID(),
    user_id: userId,
    status: "active",
    plan: "premium",
    interval: null,
    period_end: until,
    cancel_at_period_end: 0,
    created_at: at,
    provider: null,
    customer_id: null,
    external_id: null,
    synced_at: at,
  });
  await keepPlanType(t, userId);
  return undefined;
}

/** Ends a grant immediately. Call it in a transaction. */
export async function endGrant(t: Db, { id, user_id }: SubscriptionRow, at: number): Promise<void> {
  await updateSubscription(t, id, { status: "canceled", period_end: at, synced_at: at });
  await keepPlanType(t, user_id);
}

/** Ends expired grants. Called by the sweeper. @param at epoch ms */
export async function settleGrants(db: Db, at: number): Promise<void> {
  for (const { id, user_id } of await listDueSubscriptions(db, null, ["active", "trialing"], at)) {
    await db.transaction().execute(async (t) => {
      await updateSubscription(t, id, { status: "canceled", synced_at: at });
      await keepPlanType(t, user_id);
    });
  }
}
