import type { Subscription } from "#contract/index.ts";
import type { SubscriptionRow } from "./queries.ts";

export function subscriptionView(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    status: row.status,
    plan: row.plan,
    interval: row.interval,
    currentPeriodEnd: row.period_end === null ? null : new Date(row.period_end).toISOString(),
    cancelAtPeriodEnd: row.cancel_at_period_end === 1,
    ...(row.provider === null && { granted: true }),
  };
}
