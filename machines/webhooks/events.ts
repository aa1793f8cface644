import type { NewWebhook } from "#contract/index.ts";

export type WebhooksEvent =
  /** The person wants a new webhook: its form opens, is sent, or is given up. */
  | { type: "new.requested" }
  | { type: "creation.requested"; wanted: NewWebhook }
  | { type: "new.dismissed" }
  /** The person has kept the new webhook's secret. */
  | { type: "secret.dismissed" }
  | { type: "removal.requested"; id: string }
  /** The person confirms the removal, or does not. */
  | { type: "removal.confirmed" }
  | { type: "removal.dismissed" }
  /** Nothing is to be sent for a while, or again. */
  | { type: "pause.requested"; id: string }
  | { type: "resume.requested"; id: string }
  /** What was sent to one is to be seen, or no longer. */
  | { type: "log.requested"; id: string }
  | { type: "log.dismissed" }
  /** To the one whose log is seen: a message without content, or one of those in the log again. */
  | { type: "test.requested" }
  | { type: "replay.requested"; id: string }
  | { type: "reload.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

/** Emitted to the page. */
export interface WebhooksEmitted {
  type: "webhook.removed";
}
