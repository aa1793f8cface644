import { randomUUID } from "node:crypto";
import { Problem } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
import {
  findSubscription,
  insertSubscription,
  isPremiumStatus,
  keepPlanType,
  listDueSubscriptions,
  type SubscriptionRow,
  updateSubscription,
} from "./queries.ts";

/** Statuses after which nothing is paid any more. */
const over: readonly string[] = ["canceled", "incomplete_expired"];

/** Whether it goes through a payment provider, and may yet be paid: such a one is the provider's to change. */
export const isPaid = (row: SubscriptionRow | undefined): boolean =>
  row !== undefined && row.provider !== null && !over.includes(row.status);

/** Whether it was given by a superuser and has not ended. */
export const isGranted = (row: SubscriptionRow | undefined): boolean =>
  row !== undefined && row.provider === null && isPremiumStatus(row.status);

/**
 * Gives somebody premium until a moment, or lets what was given last until then. To be called in a transaction.
 * @param until epoch ms
 * @returns the subscription before; undefined when none was given at the time
 * @throws Problem `badRequest` for a moment that is over, `conflict` when somebody pays
 */
export async function grantUntil(t: Db, userId: string, until: number, at: number): Promise<SubscriptionRow | undefined> {
  if (until <= at) throw new Problem("badRequest", "periodEnd: must lie in the future.");
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

/** Ends what was given, at once. To be called in a transaction. */
export async function endGrant(t: Db, { id, user_id }: SubscriptionRow, at: number): Promise<void> {
  await updateSubscription(t, id, { status: "canceled", period_end: at, synced_at: at });
  await keepPlanType(t, user_id);
}

/** What was given ends when its time is over. Called by the sweeper. @param at epoch ms */
export async function settleGrants(db: Db, at: number): Promise<void> {
  for (const { id, user_id } of await listDueSubscriptions(db, null, ["active", "trialing"], at)) {
    await db.transaction().execute(async (t) => {
      await updateSubscription(t, id, { status: "canceled", synced_at: at });
      await keepPlanType(t, user_id);
    });
  }
}
