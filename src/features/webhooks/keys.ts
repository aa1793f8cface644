import type { WebhookMessageType } from "#contract/index.ts";

/** The keys of message types in the locale files, where a dot would separate levels. */
const typeKeys = {
  "transcription.completed": "completed",
  "transcription.failed": "failed",
  "webhook.test": "test",
} as const satisfies Record<WebhookMessageType, string>;

export const typeKey = (type: WebhookMessageType): (typeof typeKeys)[WebhookMessageType] => typeKeys[type];
