import type { BillingInterval } from "./billing.ts";

/** The interval in an address from any source; undefined if it is invalid. */
export function intervalIn({ interval }: { interval?: unknown }): BillingInterval | undefined {
  return interval === "year" || interval === "month" ? interval : undefined;
}

/** The interval of the premium plan in an address; undefined without one. The server decides the price. */
export function wantedInterval(search: { plan?: unknown; interval?: unknown }): BillingInterval | undefined {
  return search.plan === "premium" ? intervalIn(search) : undefined;
}

/** The path at which the checkout for this interval starts. */
export function checkoutPath(interval: BillingInterval): string {
  return `/subscription?plan=premium&interval=${interval}`;
}
