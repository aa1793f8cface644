import * as v from "valibot";
import { AcceptedId } from "./accepted.ts";

export { prices } from "./prices.ts";

/** SPEC.md section 9, "Billing interval values". */
export const BillingInterval = v.picklist(["year", "month"]);

export const Subscription = v.object({
  id: v.string(),
  /** Any string, because payment providers may have more statuses. */
  status: v.string(),
  plan: v.string(),
  interval: v.nullable(BillingInterval),
  /** ISO 8601, UTC: the end of the paid period. */
  currentPeriodEnd: v.nullable(v.string()),
  cancelAtPeriodEnd: v.boolean(),
  /** Whether it was granted without payment, so that it can't be canceled. */
  granted: v.optional(v.boolean()),
});
export type Subscription = v.InferOutput<typeof Subscription>;

/**
 * The subscription as the page accepts it: an id and a status are enough (SPEC.md section 7); without a subscription,
 * the status alone ("free").
 */
export const AcceptedSubscription = v.object({
  id: v.fallback(AcceptedId, ""),
  status: v.string(),
  plan: v.fallback(Subscription.entries.plan, "premium"),
  interval: v.fallback(Subscription.entries.interval, null),
  currentPeriodEnd: v.fallback(Subscription.entries.currentPeriodEnd, null),
  cancelAtPeriodEnd: v.fallback(Subscription.entries.cancelAtPeriodEnd, false),
  granted: v.fallback(Subscription.entries.granted, undefined),
});

/** GET /subscriptions/me (404 when there is none). */
export const OwnSubscriptionAnswer = v.object({ subscription: Subscription });
/** The response as the page accepts it; null also means none. */
export const AcceptedOwnSubscription = v.object({ subscription: v.nullish(AcceptedSubscription, null) });

/** POST /subscriptions/account/checkout-session, and …/create-checkout-session, which takes only the plan. */
export const CheckoutRequest = v.object({ plan: v.literal("premium"), interval: BillingInterval });
export const PlanRequest = v.object({ plan: v.picklist(["premium", "year", "month"]) });
/** The redirect target: a checkout, or the billing portal. */
export const UrlAnswer = v.object({ url: v.optional(v.string()) });

export const Invoice = v.object({
  id: v.string(),
  /** ISO 8601, UTC. */
  date: v.string(),
  /** In the currency's smallest unit. */
  amount: v.number(),
  /** ISO 4217. */
  currency: v.string(),
  /** paid, open, void, …: payment providers may have more statuses. */
  status: v.string(),
  /** Its page at the provider, if any. */
  url: v.nullable(v.string()),
});
export type Invoice = v.InferOutput<typeof Invoice>;

/** GET /subscriptions/account/invoices: newest first. */
export const BillingHistory = v.object({ invoices: v.array(Invoice) });

/** SPEC.md section 9, "Free-tier limit": minutes per month. */
export const freeMinutes = 10;

/** When the count of a calendar month (UTC) is reset. @param at epoch ms @returns ISO 8601 */
export function resetAfter(at: number): string {
  const day = new Date(at);
  return new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 1)).toISOString();
}

/** GET /api/v1/usage: the user's minutes in the calendar month (UTC). */
export const Usage = v.object({
  usedTranslationMinutes: v.number(),
  /** null: no limit (a subscription, or a superuser). */
  limitMinutes: v.nullable(v.number()),
  /** ISO 8601, UTC: when the count resets. */
  resetsAt: v.string(),
  /** Set when the user has a vault, which can also be opened without a subscription. */
  hasVault: v.optional(v.literal(true)),
});
export type Usage = v.InferOutput<typeof Usage>;

const UsageData = v.object({ usedTranslationMinutes: v.pipe(v.number(), v.finite(), v.minValue(0)) });
const UsageDataBeside = v.object({
  status: v.fallback(v.optional(v.string()), undefined),
  usageData: v.fallback(v.optional(UsageData), undefined),
});
/**
 * SPEC.md section 3, "usageData": this month's minutes, which a server without a call for them may send in or beside a
 * subscription. The status is the subscription's.
 */
export const AcceptedUsageData = v.pipe(
  v.object({ ...UsageDataBeside.entries, subscription: v.fallback(v.optional(UsageDataBeside), undefined) }),
  v.transform(({ status, usageData, subscription }) => ({
    status: subscription?.status ?? status,
    usedTranslationMinutes: (usageData ?? subscription?.usageData)?.usedTranslationMinutes,
  })),
);

/** GET /api/v1/storage: the user's stored data, in bytes. */
export const StorageUse = v.object({
  usedBytes: v.number(),
  /** null: no limit. */
  quotaBytes: v.nullable(v.number()),
});
export type StorageUse = v.InferOutput<typeof StorageUse>;
