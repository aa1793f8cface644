import type { BillingInterval } from "./billing.ts";

/** The interval of an address that may come from anywhere; undefined unless it is one. */
export function intervalIn({ interval }: { interval?: unknown }): BillingInterval | undefined {
  return interval === "year" || interval === "month" ? interval : undefined;
}

/** The interval of the premium plan that an address asks for; undefined when it asks for none. The price is the server's. */
export function wantedInterval(search: { plan?: unknown; interval?: unknown }): BillingInterval | undefined {
  return search.plan === "premium" ? intervalIn(search) : undefined;
}

/** Where the checkout for it begins. */
export function checkoutPath(interval: BillingInterval): string {
  return `/subscription?plan=premium&interval=${interval}`;
}
