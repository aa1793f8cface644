import type { Invoice } from "#contract/index.ts";
import type { User } from "#server/users/tables.ts";
import type { SubscriptionRow } from "./queries.ts";

export type Interval = "year" | "month";

/** The API's origin, and the page's origin to return to. */
export interface BillingAddresses {
  api: string;
  page: string;
}

/** Where the page continues after a checkout without payment: trying again keeps the choice. */
export function cancelledPath(interval: Interval): string {
  return `/subscription-cancelled?plan=premium&interval=${interval}`;
}

/** A payment provider. Statuses are Stripe's: active, trialing, past_due, canceled, … (SPEC.md section 3). */
export interface Billing {
  readonly id: "test" | "stripe";
  /**
   * Opens a checkout page. A user has one at a time: earlier ones are closed. @returns its URL. @throws Problem
   * `conflict` with a subscription
   */
  checkout(user: User, interval: Interval, addresses: BillingAddresses): Promise<string>;
  /**
   * Closes the open checkout page, so that nobody can pay there any more. A payment made there is stored. @throws
   * Problem
   */
  closeCheckout(user: User): Promise<void>;
  /** Cancels at the end of the paid period. @throws Problem */
  cancel(user: User, subscription: SubscriptionRow): Promise<void>;
  /** @returns the URL of a page with invoices and payment details. @throws Problem */
  portal(user: User, subscription: SubscriptionRow, addresses: BillingAddresses): Promise<string>;
  /** Invoices, the newest first. @throws Problem */
  invoices(user: User, subscription: SubscriptionRow): Promise<Invoice[]>;
  /** Processes due renewals and ends. Called by the sweeper. */
  settle(): Promise<void>;
}
