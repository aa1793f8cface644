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

/** A user's total stored bytes; the database's triggers keep it up to date (db/ledger.ts). */
interface StorageUseTable {
  user_id: string;
  bytes: number;
  /** When the rows were last counted (epoch ms). */
  checked_at: number;
}

/** Size of a transcription's audio, with the files derived from it. A transcription without audio has no row. */
interface AudioSizeTable {
  transcription_id: string;
  bytes: number;
  /** Changes of the files since the last measurement; 0: the size is right. */
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

/** Recognized audio that counts for a user. Kept when the transcription is deleted. */
interface UsageTable {
  user_id: string;
  /** The work that the audio belongs to; each work counts once. */
  source: string;
  /** Calendar month (UTC) in which this part of the work was accepted: "2026-03". */
  month: string;
  /** Its first day in that month: "2026-03-01"; null for work from before days were stored. */
  day: string | null;
  /** 16,000 samples per second. */
  samples: number;
}

export interface InvoiceTable {
  id: string;
  user_id: string;
  subscription_id: string;
  /** Amount in the currency's smallest unit. */
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

/** A user's newest payment page at the provider, kept for some days. */
export interface CheckoutTable {
  user_id: string;
  /** The provider's id of the page. */
  session_id: string;
  /** SHA-256 (hex) of the purchase's terms. While they are the same, the page is reused. */
  terms: string;
  /** Epoch ms. */
  made_at: number;
}

/** Webhook events already processed, so that a repeated one changes nothing. */
interface BillingEventTable {
  id: string;
  received_at: number;
}
