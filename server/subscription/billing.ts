import type { Invoice } from "#contract/index.ts";
import type { User } from "#server/db/schema.ts";
import type { SubscriptionRow } from "./queries.ts";

export type Interval = "year" | "month";

/** Where a person is, and where they come back to. Both are origins. */
export interface Places {
  api: string;
  page: string;
}

/** Who takes the money. Statuses are Stripe's: active, trialing, past_due, canceled, … (SPEC.md section 3). */
export interface Billing {
  readonly id: "test" | "stripe";
  /** @returns the address of a checkout page. @throws Problem */
  checkout(user: User, interval: Interval, places: Places): Promise<string>;
  /** Cancels at the end of what is paid. @throws Problem */
  cancel(user: User, subscription: SubscriptionRow): Promise<void>;
  /** @returns the address of a page with invoices and payment details. @throws Problem */
  portal(user: User, subscription: SubscriptionRow, places: Places): Promise<string>;
  /** The newest first. @throws Problem */
  invoices(user: User, subscription: SubscriptionRow): Promise<Invoice[]>;
  /** Does what is due: renewals, ends. Called by the sweeper. */
  settle(): Promise<void>;
}
