import * as v from "valibot";
import { acceptedRows } from "./accepted.ts";
import { ErrorCode } from "./error.ts";
import { Origin } from "./transcription.ts";

/** Most webhooks of one user. */
export const maxWebhooks = 10;
/** Longest URL, in characters. */
export const maxWebhookUrl = 2000;
/** Number of the newest deliveries listed, and how long deliveries are stored (days). */
export const listedDeliveries = 50;
export const deliveryDays = 30;

/** The events that a webhook can subscribe to. */
export const webhookEvents = ["transcription.completed", "transcription.failed"] as const;
export const WebhookEvent = v.picklist(webhookEvents);
export type WebhookEvent = v.InferOutput<typeof WebhookEvent>;
/** The event of a test by its owner. */
export const webhookTest = "webhook.test";
const MessageType = v.picklist([...webhookEvents, webhookTest]);
export type WebhookMessageType = v.InferOutput<typeof MessageType>;

/** Facts about an ended transcription, without its texts. */
export const EndedTranscription = v.object({
  /** Id for GET /api/v1/audio-transcriptions/transcription/{id}. */
  id: v.string(),
  origin: v.nullable(Origin),
  /** "auto" when unknown. */
  sourceLanguage: v.string(),
  targetLanguage: v.nullable(v.string()),
  durationSeconds: v.nullable(v.number()),
  /** The reason for a failure. For a completed one: a warning such as `translationFailed`, or null. */
  error: v.nullable(ErrorCode),
});
export type EndedTranscription = v.InferOutput<typeof EndedTranscription>;

/** The body posted to a webhook. `timestamp`: when the event happened, ISO 8601, UTC. */
export const WebhookMessage = v.object({
  type: MessageType,
  timestamp: v.string(),
  /** Empty for a test. `url`: the transcription's page, for its owner. */
  data: v.union([v.object({ ...EndedTranscription.entries, url: v.string() }), v.strictObject({})]),
});
export type WebhookMessage = v.InferOutput<typeof WebhookMessage>;

const Url = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(maxWebhookUrl));
const Events = v.pipe(v.array(WebhookEvent), v.minLength(1), v.maxLength(webhookEvents.length));

/** POST /users/me/webhooks */
export const NewWebhook = v.object({ url: Url, events: Events });
export type NewWebhook = v.InferInput<typeof NewWebhook>;

/** PATCH /users/me/webhooks/{id}: absent fields stay unchanged. `paused: false` also sends the waiting messages. */
export const WebhookChange = v.object({ url: v.optional(Url), events: v.optional(Events), paused: v.optional(v.boolean()) });
export type WebhookChange = v.InferInput<typeof WebhookChange>;

/** Why a webhook is paused: by its owner; nothing arrived for a day; or its server answered "410 Gone". */
const pauseReasons = ["owner", "failing", "gone"] as const;
const PauseReason = v.picklist(pauseReasons);
export type PauseReason = v.InferOutput<typeof PauseReason>;

/** A webhook without its secret. Times are ISO 8601, UTC. */
export const Webhook = v.object({
  id: v.string(),
  url: v.string(),
  events: acceptedRows(WebhookEvent),
  createdAt: v.string(),
  /** null while it is active. */
  paused: v.nullable(v.object({ at: v.string(), reason: v.fallback(PauseReason, "owner") })),
  /** Failed attempts since the last success. */
  failures: v.number(),
  /** Time of the first of these. */
  failingSince: v.nullable(v.string()),
});
export type Webhook = v.InferOutput<typeof Webhook>;

/** GET /users/me/webhooks: the oldest first. DELETE of …/{id} removes one, with its log. */
export const WebhooksAnswer = v.object({ webhooks: v.array(Webhook) });
export type WebhooksAnswer = v.InferOutput<typeof WebhooksAnswer>;
/** The response for a new webhook: the only time that its secret ("whsec_…") is sent. */
export const CreatedWebhook = v.object({ ...Webhook.entries, secret: v.string() });
export type CreatedWebhook = v.InferOutput<typeof CreatedWebhook>;

/** `waiting`: also between two attempts. `held`: until its webhook resumes. `failed`: given up. */
const deliveryStates = ["waiting", "held", "delivered", "failed"] as const;
const DeliveryState = v.picklist(deliveryStates);

/** The state of one message. Times are ISO 8601, UTC. */
export const WebhookDelivery = v.object({
  /** The header `webhook-id`, the same in every attempt. */
  id: v.string(),
  type: v.fallback(MessageType, webhookTest),
  /** The transcription of the event; null for a test. */
  transcriptionId: v.nullable(v.string()),
  state: DeliveryState,
  createdAt: v.string(),
  attempts: v.number(),
  /** Time of the last attempt. */
  attemptedAt: v.nullable(v.string()),
  /** Time of the next attempt; null when there is none. */
  nextAt: v.nullable(v.string()),
  /** HTTP status of the last response; null without one. */
  status: v.nullable(v.number()),
  /** First characters of the response. */
  answer: v.fallback(v.string(), ""),
  /** Why there was no response: `urlRefused`, `urlUnreachable` or `urlTimeout`. */
  error: v.nullable(v.fallback(ErrorCode, "urlUnreachable")),
});
export type WebhookDelivery = v.InferOutput<typeof WebhookDelivery>;

/**
 * GET /users/me/webhooks/{id}/deliveries: the newest first. POST of …/{delivery}/replay repeats
 * one; POST of /users/me/webhooks/{id}/test sends a test.
 */
export const DeliveriesAnswer = v.object({ deliveries: v.array(WebhookDelivery) });
export type DeliveriesAnswer = v.InferOutput<typeof DeliveriesAnswer>;
/** The responses as the page accepts them. */
export const AcceptedWebhooks = v.object({ webhooks: acceptedRows(Webhook) });
export const AcceptedDeliveries = v.object({ deliveries: acceptedRows(WebhookDelivery) });
