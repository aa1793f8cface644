declare module "#server/db/schema.ts" {
  interface Schema {
    webhooks: WebhookTable;
    webhook_deliveries: WebhookDeliveryTable;
  }
}

export interface WebhookTable {
  id: string;
  user_id: string;
  url: string;
  /** JSON: what it wants to know (contract/webhooks.ts). */
  events: string;
  /** "whsec_…": the key of its signatures, as it is, since they are made with it. */
  secret: string;
  created_at: number;
  /** null: it works. */
  paused_at: number | null;
  /** Why nothing is sent (contract/webhooks.ts); null while it works. */
  pause_reason: string | null;
  /** Attempts that failed since one last succeeded, and when the first of them did. */
  failures: number;
  failing_since: number | null;
}

/** A message to a webhook, and what became of it. */
export interface WebhookDeliveryTable {
  /** The header webhook-id. */
  id: string;
  webhook_id: string;
  user_id: string;
  event: string;
  /** JSON: facts about what it is about; "{}" for a test. */
  data: string;
  created_at: number;
  state: string;
  attempts: number;
  /** When the next attempt is due; while one is made, when another process may make it. */
  next_at: number;
  attempted_at: number | null;
  /** HTTP status of the last answer. */
  status: number | null;
  /** Its first characters. */
  answer: string;
  /** Code of an error; null when there was an answer. */
  error: string | null;
}
