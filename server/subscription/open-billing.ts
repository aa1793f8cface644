import type { Config } from "#server/config.ts";
import type { Db } from "#server/db/open.ts";
import { createStripeBilling, type StripeBilling } from "./stripe-billing.ts";
import { createTestBilling, type TestBilling } from "./test-billing.ts";

/** Stripe when it is set up; otherwise payments without money, which say so. */
export function openBilling(db: Db, { stripe }: Pick<Config, "stripe">, now: () => number): StripeBilling | TestBilling {
  return stripe === undefined ? createTestBilling(db, now) : createStripeBilling(db, stripe, now);
}

export const isStripe = (billing: StripeBilling | TestBilling): billing is StripeBilling => billing.id === "stripe";
export const isTest = (billing: StripeBilling | TestBilling): billing is TestBilling => billing.id === "test";
