import { undefined as nothing } from "valibot";
import {
  AcceptedDeliveries,
  AcceptedWebhooks,
  CreatedWebhook,
  type NewWebhook,
  Webhook,
  type WebhookChange,
  WebhookDelivery,
} from "#contract/index.ts";
import type { Call } from "./http.ts";

const path = "/users/me/webhooks";
const pathOf = (id: string) => `${path}/${encodeURIComponent(id)}`;

/** The calls about webhooks. Each throws ApiError. */
export function createWebhooksApi(call: Call) {
  return {
    list: async (signal?: AbortSignal) => (await call(path, { schema: AcceptedWebhooks, signal })).webhooks,
    /** The only answer that contains the webhook's secret. */
    create: (json: NewWebhook, signal?: AbortSignal) => call(path, { json, schema: CreatedWebhook, signal }),
    change: (id: string, json: WebhookChange, signal?: AbortSignal) =>
      call(pathOf(id), { method: "PATCH", json, schema: Webhook, signal }),
    remove: (id: string, signal?: AbortSignal) => call(pathOf(id), { method: "DELETE", schema: nothing(), signal }),
    log: async (id: string, signal?: AbortSignal) =>
      (await call(`${pathOf(id)}/deliveries`, { schema: AcceptedDeliveries, signal })).deliveries,
    test: (id: string, signal?: AbortSignal) => call(`${pathOf(id)}/test`, { method: "POST", schema: WebhookDelivery, signal }),
    replay: (id: string, delivery: string, signal?: AbortSignal) =>
      call(`${pathOf(id)}/deliveries/${encodeURIComponent(delivery)}/replay`, {
        method: "POST",
        schema: WebhookDelivery,
        signal,
      }),
  };
}
