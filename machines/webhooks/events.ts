import type { NewWebhook, Webhook, WebhookChange } from "#contract/index.ts";
import type { CollectionEvent, Listed } from "#machines/collection/events.ts";

/** The types of the webhooks' list. */
export interface WebhookTypes {
  known: Listed<Webhook>;
  draft: NewWebhook;
  change: WebhookChange;
  /** The key that signs the messages. */
  secret: string;
}

export type WebhooksEvent =
  | CollectionEvent<WebhookTypes>
  /** The person opens or closes the log of a webhook. */
  | { type: "log.requested"; id: string }
  | { type: "log.dismissed" }
  /** In an open log: sends a test message, or resends a logged message. */
  | { type: "test.requested" }
  | { type: "replay.requested"; id: string };
