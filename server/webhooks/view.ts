import * as v from "valibot";
import { Webhook, WebhookDelivery } from "#contract/index.ts";
import type { DeliveryRow, WebhookRow } from "./queries.ts";

const iso = (at: number): string => new Date(at).toISOString();
const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

const Events = v.pipe(v.string(), v.parseJson(), Webhook.entries.events);
/** @throws when the stored text is malformed */
export const eventsOf = ({ events }: Pick<WebhookRow, "events">) => v.parse(Events, events);

/** A webhook as its owner sees it, without its secret. */
export function viewWebhook(row: WebhookRow): Webhook {
  const { id, url, created_at, paused_at, pause_reason, failures, failing_since } = row;
  const shown = {
    id,
    url,
    events: eventsOf(row),
    createdAt: iso(created_at),
    paused: paused_at === null ? null : { at: iso(paused_at), reason: pause_reason },
    failures,
    failingSince: isoOrNull(failing_since),
  };
  return v.parse(Webhook, shown);
}

const About = v.pipe(v.string(), v.parseJson(), v.object({ id: v.optional(v.string()) }));

export function viewDelivery(row: DeliveryRow): WebhookDelivery {
  const shown = {
    id: row.id,
    type: row.event,
    transcriptionId: v.parse(About, row.data).id ?? null,
    state: row.state,
    createdAt: iso(row.created_at),
    attempts: row.attempts,
    attemptedAt: isoOrNull(row.attempted_at),
    nextAt: row.state === "waiting" ? iso(row.next_at) : null,
    status: row.status,
    answer: row.answer,
    error: row.error,
  };
  return v.parse(WebhookDelivery, shown);
}
