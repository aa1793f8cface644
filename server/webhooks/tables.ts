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
  /** JSON: the subscribed events (contract/webhooks.ts). */
  events: string;
  /** "whsec_…": the signing key, stored in the clear because signing needs it. */
  secret: string;
  created_at: number;
  /** null while it is active. */
  paused_at: number | null;
  /** The reason for the pause (contract/webhooks.ts); null while it is active. */
  pause_reason: string | null;
  /** Failed attempts since the last success, and the time of the first of them. */
  failures: number;
  failing_since: number | null;
}

/** A message to a webhook, with its outcome. */
export interface WebhookDeliveryTable {
  /** The header webhook-id. */
  id: string;
  webhook_id: string;
  user_id: string;
  event: string;
  /** JSON: facts about the event; "{}" for a test. */
  data: string;
  created_at: number;
  state: string;
  attempts: number;
  /** When the next attempt is due; during an attempt, when another process may take over. */
  next_at: number;
  attempted_at: number | null;
  /** HTTP status of the last response. */
  status: number | null;
  /** First characters of the response. */
  answer: string;
  /** Error code; null when there was a response. */
  error: string | null;
}
