import * as v from "valibot";

export { prices } from "./prices.ts";

/** SPEC.md section 9, "Billing interval values". */
export const BillingInterval = v.picklist(["year", "month"]);

export const Subscription = v.object({
  id: v.string(),
  /** Loose: a payment provider may know more of them than we do. */
  status: v.string(),
  plan: v.string(),
  interval: v.nullable(BillingInterval),
  /** ISO 8601, UTC: paid until then. */
  currentPeriodEnd: v.nullable(v.string()),
  cancelAtPeriodEnd: v.boolean(),
});
export type Subscription = v.InferOutput<typeof Subscription>;

/** GET /subscriptions/me (404 when there is none). */
export const OwnSubscriptionAnswer = v.object({ subscription: Subscription });
