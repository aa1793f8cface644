import { sendEmail } from "#server/account/emails.ts";
import type { Bus } from "#server/bus/bus.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Log } from "#server/log/log.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { mailNotice } from "#server/notices/mails.ts";
import type { UrlPolicy } from "#server/outbound/address.ts";
import { runDueTasks } from "#server/polling/due-tasks.ts";
import type { Throttle } from "#server/session/throttle.ts";
import { bodyOf, writeMessages } from "./messages.ts";
import { attemptMs, postMessage } from "./post.ts";
import {
  changeDelivery,
  changePending,
  changeWebhook,
  claimDelivery,
  claimEndings,
  type DueDelivery,
  findWebhook,
  hasEndings,
} from "./queries.ts";
import { isDelivered, type Outcome, pauseAfter, waitAfter } from "./rules.ts";
import { signatureHeaders } from "./signature.ts";

/** Concurrent attempts, in total and per user, so that one user's hanging servers delay nobody else. */
const atOnce = 16;
const ofOnePerson = 2;
/** Time after which the attempt of a dead process is repeated (milliseconds). */
const leaseMs = 60_000;
/** Interval of polling the database, in case the bus reports nothing (milliseconds). */
const defaultPollMs = 5_000;
/** Endings taken in one transaction. */
const endingsAtOnce = 50;

export interface WebhookParts extends DbParts {
  log: Log;
  bus: Bus;
  origins: Origins;
  outbox: Outbox;
  throttle: Throttle;
  /** Decides which addresses may be called. */
  webhookPolicy: UrlPolicy;
}

/** Replacements for tests (milliseconds). */
export interface WebhookTimes {
  pollMs?: number;
  attemptMs?: number;
}

/**
 * Sends the messages of webhooks, alongside any number of other processes. All state is in the rows of
 * `webhook_deliveries`.
 */
export interface WebhookSender {
  /** Cancels attempts in progress; another process repeats them, or this one after its next start. */
  close(): Promise<void>;
}

export function openWebhooks(parts: WebhookParts, times: WebhookTimes = {}): WebhookSender {
  const { db, now, log, bus } = parts;
  const attemptParts = { ...parts, attemptMs: times.attemptMs ?? attemptMs };
  return runDueTasks({
    name: "webhooks",
    log,
    bus,
    topic: "webhooks.due",
    pollMs: times.pollMs ?? defaultPollMs,
    atOnce,
    ofOnePerson,
    prepare: () => spread(parts),
    claim: async (without) => {
      const due = await claimDelivery(db, { now: now(), leaseUntil: now() + leaseMs, without });
      return due && { userId: due.user_id, run: (closing) => attempt(attemptParts, due, closing) };
    },
  });
}

/**
 * Writes a message to each webhook that subscribes to an ended transcription, and sends the mails that users want about
 * it.
 */
async function spread(parts: WebhookParts): Promise<void> {
  const { db, now } = parts;
  while (await hasEndings(db)) {
    const at = now();
    const taken = await db.transaction().execute(async (t) => {
      const endings = await claimEndings(t, endingsAtOnce);
      for (const ending of endings) await writeMessages(t, ending, at);
      return endings;
    });
    // If the process dies here, the mail is lost. That is acceptable, because the page shows the same.
    for (const ending of taken) await mailNotice(parts, ending, at);
  }
}

async function attempt(parts: WebhookParts & { attemptMs: number }, due: DueDelivery, closing: AbortSignal): Promise<void> {
  const { webhookPolicy, origins, now, log } = parts;
  const body = bodyOf(due, origins.page);
  const headers = signatureHeaders(due.secret, { id: due.id, at: now(), body });
  const outcome = await postMessage(due.url, { headers, body }, { ...webhookPolicy, attemptMs: parts.attemptMs }, closing);
  const { status, error } = outcome;
  // The address may contain secrets, and the response belongs to the webhook's owner, so neither is logged.
  log.info("webhook attempted", { id: due.id, webhook: due.webhook_id, attempts: due.attempts, status, error });
  await settle(parts, due, outcome);
}

async function settle(parts: WebhookParts, due: DueDelivery, outcome: Outcome): Promise<void> {
  const { db, now, log } = parts;
  const owned = { id: due.webhook_id, userId: due.user_id };
  const paused = await db.transaction().execute(async (t) => {
    const webhook = await findWebhook(t, owned);
    if (webhook === undefined) return undefined;
    const at = now();
    const isDone = isDelivered(outcome);
    const wait = isDone ? undefined : waitAfter(due.attempts);
    const isHeld = webhook.paused_at !== null;
    const state = isDone ? "delivered" : wait === undefined ? "failed" : isHeld ? "held" : "waiting";
    if (!(await changeDelivery(t, due, { ...outcome, state, next_at: at + (wait ?? 0) }))) return undefined;
    if (isDone) {
      await changeWebhook(t, owned, { failures: 0, failing_since: null });
      return undefined;
    }
    const failures = webhook.failures + 1;
    const since = webhook.failing_since ?? at;
    const reason = isHeld ? undefined : pauseAfter(outcome, { failures, since, now: at });
    const pause = reason !== undefined && { paused_at: at, pause_reason: reason };
    await changeWebhook(t, owned, { failures, failing_since: since, ...pause });
    if (reason !== undefined) await changePending(t, due.webhook_id, "held", at);
    return reason;
  });
  if (paused === undefined) return;
  log.warn("webhook paused", { webhook: due.webhook_id, reason: paused });
  await sendEmail(parts, due.user_id, "webhookPaused", { path: "/settings/developer" });
}
