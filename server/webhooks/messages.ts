import { randomUUID } from "node:crypto";
import * as v from "valibot";
import { EndedTranscription, type WebhookMessage, webhookEvents, webhookTest } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import {
  countPending,
  type DeliveryRow,
  type DueDelivery,
  type EndingRow,
  insertDelivery,
  listWebhooks,
  type WebhookRow,
} from "./queries.ts";
import { maxWaiting } from "./rules.ts";
import { eventsOf } from "./view.ts";

/**
 * Writes messages to the user's webhooks that subscribe to an event. Call it in the transaction that takes the event.
 */
export async function writeMessages(t: Db, { user_id, event, data }: EndingRow, now: number): Promise<void> {
  for (const webhook of await listWebhooks(t, user_id)) {
    if (!eventsOf(webhook).some((wanted) => wanted === event)) continue;
    if ((await countPending(t, webhook.id)) < maxWaiting) await insertDelivery(t, newDelivery(webhook, { event, data }, now));
  }
}

/** A waiting message. If the webhook is paused, the message is held until the webhook resumes. @param now epoch ms */
export function newDelivery(
  { id, user_id, paused_at }: WebhookRow,
  { event, data }: Pick<DeliveryRow, "event" | "data">,
  now: number,
): DeliveryRow {
  return {
    id: `msg_${randomUUID()}`,
    webhook_id: id,
    user_id,
    event,
    data,
    created_at: now,
    state: paused_at === null ? "waiting" : "held",
    attempts: 0,
    next_at: now,
    attempted_at: null,
    status: null,
    answer: "",
    error: null,
  };
}

const Data = v.pipe(v.string(), v.parseJson(), v.union([EndedTranscription, v.strictObject({})]));

/**
 * The body of a message, identical in each attempt. @param page the page's origin @throws when the stored text is
 * malformed
 */
export function bodyOf({ event, data, created_at }: DueDelivery, page: string): string {
  const about = v.parse(Data, data);
  const message: WebhookMessage = {
    type: webhookEvents.find((known) => known === event) ?? webhookTest,
    timestamp: new Date(created_at).toISOString(),
    data: "id" in about ? { ...about, url: `${page}/transcription/${about.id}` } : {},
  };
  return JSON.stringify(message);
}
