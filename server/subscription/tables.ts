import type { Generated } from "kysely";

declare module "#server/db/schema.ts" {
  interface Schema {
    storage_use: StorageUseTable;
    audio_sizes: AudioSizeTable;
    subscriptions: SubscriptionTable;
    usage: UsageTable;
    invoices: InvoiceTable;
    billing_pages: BillingPageTable;
    checkouts: CheckoutTable;
    billing_events: BillingEventTable;
  }
}

/** What is kept of a person, together; the database's own triggers keep it (db/ledger.ts). */
interface StorageUseTable {
  user_id: string;
  bytes: number;
  /** When it was last counted row by row (epoch ms). */
  checked_at: number;
}

/** How long the audio of a transcription is, with what is made of it. One without audio has no row. */
interface AudioSizeTable {
  transcription_id: string;
  bytes: number;
  /** How often its files were changed since they were measured; 0: the size is right. */
  changes: Generated<number>;
}

export interface SubscriptionTable {
  id: string;
  user_id: string;
  status: string;
  plan: string;
  interval: "year" | "month" | null;
  period_end: number | null;
  cancel_at_period_end: number;
  created_at: number;
  /** The payment provider; null for a subscription granted by an admin. */
  provider: "test" | "stripe" | null;
  /** The provider's ids of the customer and the subscription. */
  customer_id: string | null;
  external_id: string | null;
  /** When this was last fetched from the provider, epoch ms. */
  synced_at: number;
}

/** Recognised audio that counts for a user. Kept when the transcription is deleted. */
interface UsageTable {
  user_id: string;
  /** The work it was for; each counts once. */
  source: string;
  /** Calendar month (UTC) in which this part of the work was accepted: "2026-03". */
  month: string;
  /** The first day of it in that month: "2026-03-01"; null for work from before days were stored. */
  day: string | null;
  /** At 16,000 a second. */
  samples: number;
}

export interface InvoiceTable {
  id: string;
  user_id: string;
  subscription_id: string;
  /** In the currency's smallest unit. */
  amount: number;
  currency: string;
  status: "paid" | "open" | "void";
  created_at: number;
}

/** A URL of the test payments' own pages. */
export interface BillingPageTable {
  /** SHA-256 of the token in the address, hex. */
  hash: string;
  user_id: string;
  kind: "checkout" | "portal";
  interval: "year" | "month";
  page: string;
  expires_at: number;
  done: number;
}

/** The newest payment page that a person has, or had in the last days, at the provider. */
export interface CheckoutTable {
  user_id: string;
  /** The provider's id of the page. */
  session_id: string;
  /** SHA-256 of what is bought there, and how: the same page is given again while this stays, hex. */
  terms: string;
  /** Epoch ms. */
  made_at: number;
}

/** Webhook events already processed, so that a repeated one changes nothing. */
interface BillingEventTable {
  id: string;
  received_at: number;
}
