import type { NewWebhook, Webhook, WebhookChange } from "#contract/index.ts";
import type { CollectionEvent, Listed } from "#machines/collection/events.ts";

/** What a person's webhooks are made of. */
export interface WebhookTypes {
  known: Listed<Webhook>;
  draft: NewWebhook;
  change: WebhookChange;
  /** What its messages are signed with. */
  secret: string;
}

export type WebhooksEvent =
  | CollectionEvent<WebhookTypes>
  /** What was sent to one is to be seen, or no longer. */
  | { type: "log.requested"; id: string }
  | { type: "log.dismissed" }
  /** To the one whose log is seen: a message without content, or one of those in the log again. */
  | { type: "test.requested" }
  | { type: "replay.requested"; id: string };
