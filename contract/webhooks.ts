import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { ErrorCode } from "./error.ts";
import { Origin } from "./transcription.ts";

/** Webhooks of one person. */
export const maxWebhooks = 10;
/** Longest address, in characters. */
export const maxWebhookUrl = 2000;
/** So many deliveries of one are listed, the newest; and so long they are kept (days). */
export const listedDeliveries = 50;
export const deliveryDays = 30;

/** What a webhook can be told of. */
export const webhookEvents = ["transcription.completed", "transcription.failed"] as const;
export const WebhookEvent = v.picklist(webhookEvents);
export type WebhookEvent = v.InferOutput<typeof WebhookEvent>;
/** What is sent when its owner tries it. */
export const webhookTest = "webhook.test";
const MessageType = v.picklist([...webhookEvents, webhookTest]);
export type WebhookMessageType = v.InferOutput<typeof MessageType>;

/** What is said of a transcription that has ended: facts, and none of its texts. */
export const EndedTranscription = v.object({
  /** GET /api/v1/audio-transcriptions/transcription/{id} has it. */
  id: v.string(),
  origin: v.nullable(Origin),
  /** "auto": not known. */
  sourceLanguage: v.string(),
  targetLanguage: v.nullable(v.string()),
  durationSeconds: v.nullable(v.number()),
  /** Of a failed one: why. Of a completed one: what of it did not work, such as `translationFailed`; null: nothing. */
  error: v.nullable(ErrorCode),
});
export type EndedTranscription = v.InferOutput<typeof EndedTranscription>;

/** The body that is posted to a webhook. `timestamp`: when it happened, ISO 8601, UTC. */
export const WebhookMessage = v.object({
  type: MessageType,
  timestamp: v.string(),
  /** Of a test: empty. `url`: its page, for its owner. */
  data: v.union([v.object({ ...EndedTranscription.entries, url: v.string() }), v.strictObject({})]),
});
export type WebhookMessage = v.InferOutput<typeof WebhookMessage>;

const Url = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(maxWebhookUrl));
const Events = v.pipe(v.array(WebhookEvent), v.minLength(1), v.maxLength(webhookEvents.length));

/** POST /users/me/webhooks */
export const NewWebhook = v.object({ url: Url, events: Events });
export type NewWebhook = v.InferInput<typeof NewWebhook>;

/** PATCH /users/me/webhooks/{id}: what is absent stays as it is. `paused: false` also sends what has waited meanwhile. */
export const WebhookChange = v.object({ url: v.optional(Url), events: v.optional(Events), paused: v.optional(v.boolean()) });
export type WebhookChange = v.InferInput<typeof WebhookChange>;

/** Why nothing is sent: its owner wanted that; nothing arrived for a day; or the server there said "410 Gone". */
const pauseReasons = ["owner", "failing", "gone"] as const;
const PauseReason = v.picklist(pauseReasons);
export type PauseReason = v.InferOutput<typeof PauseReason>;

/** A webhook without its secret. Times are ISO 8601, UTC. */
export const Webhook = v.object({
  id: v.string(),
  url: v.string(),
  events: acceptedRows(WebhookEvent),
  createdAt: v.string(),
  /** null: it works. */
  paused: v.nullable(v.object({ at: v.string(), reason: v.fallback(PauseReason, "owner") })),
  /** Attempts that failed since one last succeeded. */
  failures: v.number(),
  /** The first of these. */
  failingSince: v.nullable(v.string()),
});
export type Webhook = v.InferOutput<typeof Webhook>;

/** GET /users/me/webhooks: the oldest first. DELETE of …/{id} removes one, with its log. */
export const WebhooksAnswer = v.object({ webhooks: v.array(Webhook) });
export type WebhooksAnswer = v.InferOutput<typeof WebhooksAnswer>;
/** The answer to a new one: the only time that its secret ("whsec_…") is sent. */
export const CreatedWebhook = v.object({ ...Webhook.entries, secret: v.string() });
export type CreatedWebhook = v.InferOutput<typeof CreatedWebhook>;

/** `waiting`: also between two attempts. `held`: until its webhook goes on. `failed`: given up. */
const deliveryStates = ["waiting", "held", "delivered", "failed"] as const;
const DeliveryState = v.picklist(deliveryStates);

/** What is known of one message. Times are ISO 8601, UTC. */
export const WebhookDelivery = v.object({
  /** The header `webhook-id`, the same in every attempt. */
  id: v.string(),
  type: v.fallback(MessageType, webhookTest),
  /** Of what it is about; null for a test. */
  transcriptionId: v.nullable(v.string()),
  state: DeliveryState,
  createdAt: v.string(),
  attempts: v.number(),
  /** The last one. */
  attemptedAt: v.nullable(v.string()),
  /** The next one; null when there is none. */
  nextAt: v.nullable(v.string()),
  /** The HTTP status of the last answer; null: there was none. */
  status: v.nullable(v.number()),
  /** Its first characters. */
  answer: v.fallback(v.string(), ""),
  /** Why there was no answer: `urlRefused`, `urlUnreachable` or `urlTimeout`. */
  error: v.nullable(v.fallback(ErrorCode, "urlUnreachable")),
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;

/** GET /users/me/webhooks/{id}/deliveries: the newest first. POST of …/{delivery}/replay sends one again, POST of /users/me/webhooks/{id}/test a test. */
export const DeliveriesAnswer = v.object({ deliveries: v.array(WebhookDelivery) });
export type DeliveriesAnswer = v.InferOutput<typeof DeliveriesAnswer>;
/** As the page accepts them. */
export const AcceptedWebhooks = v.object({ webhooks: acceptedRows(Webhook) });
export const AcceptedDeliveries = v.object({ deliveries: acceptedRows(WebhookDelivery) });
