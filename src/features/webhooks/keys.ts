import type { WebhookMessageType } from "#contract/index.ts";

/** The keys of what is sent in the locale files, where a dot separates levels. */
const typeKeys = {
  "transcription.completed": "completed",
  "transcription.failed": "failed",
  "webhook.test": "test",
} as const satisfies Record<WebhookMessageType, string>;

export const typeKey = (type: WebhookMessageType): (typeof typeKeys)[WebhookMessageType] => typeKeys[type];

const explained = [
  ...["noUrl", "noEvent", "badRequest", "urlRefused", "urlUnreachable", "urlTimeout"],
  ...["tooManyAtOnce", "tooManyRequests", "conflict", "notFound", "network"],
];

/** The key of why a change failed. @param failure an error code, `noUrl` or `noEvent` */
export const failureKey = (failure: string): string => `failure.${explained.includes(failure) ? failure : "other"}`;
