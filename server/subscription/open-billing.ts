import type { DbParts } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import { settleGrants } from "./grants.ts";
import type { StripeBilling, StripeConfig } from "./stripe-billing.ts";
import { createTestBilling, type TestBilling } from "./test-billing.ts";

/** Stripe's billing, or the test payments. */
export type Billing = StripeBilling | TestBilling;

/** Stripe when it is configured; otherwise test payments, labeled as such. */
export async function openBilling(parts: DbParts & { log: Log }, stripe: StripeConfig | undefined): Promise<Billing> {
  if (stripe === undefined) return createTestBilling(parts.db, parts.now);
  // Loaded on demand: Stripe's library is a sixth of the code that a start would load.
  const { createStripeBilling } = await import("./stripe-billing.ts");
  return createStripeBilling(parts, stripe);
}

export const isStripe = (billing: Billing): billing is StripeBilling => billing.id === "stripe";
export const isTest = (billing: Billing): billing is TestBilling => billing.id === "test";

/** Renews or ends subscriptions whose period is over. @param parts `now` in epoch ms */
export async function settleBilling({ billing, db, now }: DbParts & { billing: Billing }): Promise<void> {
  await settleGrants(db, now());
  await billing.settle();
}
