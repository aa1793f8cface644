import type { Db } from "#server/db/open.ts";
import { settleGrants } from "./grants.ts";
import { createStripeBilling, type StripeBilling, type StripeConfig } from "./stripe-billing.ts";
import { createTestBilling, type TestBilling } from "./test-billing.ts";

/** Stripe's, or the one without money. */
export type Billing = StripeBilling | TestBilling;

/** Stripe when it is set up; otherwise payments without money, which say so. */
export function openBilling(db: Db, { stripe }: { stripe: StripeConfig | undefined }, now: () => number): Billing {
  return stripe === undefined ? createTestBilling(db, now) : createStripeBilling(db, stripe, now);
}

export const isStripe = (billing: Billing): billing is StripeBilling => billing.id === "stripe";
export const isTest = (billing: Billing): billing is TestBilling => billing.id === "test";

/** Subscriptions whose period has ended are renewed or end. @param parts `now` in epoch ms */
export async function settleBilling({ billing, db, now }: { billing: Billing; db: Db; now: () => number }): Promise<void> {
  await settleGrants(db, now());
  await billing.settle();
}
