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

/** Attempts at the same time, of all people and of one: whose servers hang keeps nobody else's waiting. */
const atOnce = 16;
const ofOnePerson = 2;
/** An attempt of a process that died is made again after this long (milliseconds). */
const leaseMs = 60_000;
/** How often the database is polled for what is due, should the bus not say it (milliseconds). */
const defaultPollMs = 5_000;
/** Endings that one transaction takes. */
const endingsAtOnce = 50;

export interface WebhookParts extends DbParts {
  log: Log;
  bus: Bus;
  origins: Origins;
  outbox: Outbox;
  throttle: Throttle;
  /** Which addresses may be called. */
  webhookPolicy: UrlPolicy;
}

/** Replacements for tests (milliseconds). */
export interface WebhookTimes {
  pollMs?: number;
  attemptMs?: number;
}

/** Sends what webhooks are to be told, alongside any number of other processes. The rows of `webhook_deliveries` are the truth. */
export interface WebhookSender {
  /** Attempts under way are called off; another process makes them again, or the next start. */
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

/** Writes a message to each webhook that wants to know of what has ended, and the mails that people want about it. */
async function spread(parts: WebhookParts): Promise<void> {
  const { db, now } = parts;
  while (await hasEndings(db)) {
    const at = now();
    const taken = await db.transaction().execute(async (t) => {
      const endings = await claimEndings(t, endingsAtOnce);
      for (const ending of endings) await writeMessages(t, ending, at);
      return endings;
    });
    // A process that dies just here sends no mail: it is a courtesy, and the page says the same.
    for (const ending of taken) await mailNotice(parts, ending, at);
  }
}

async function attempt(parts: WebhookParts & { attemptMs: number }, due: DueDelivery, closing: AbortSignal): Promise<void> {
  const { webhookPolicy, origins, now, log } = parts;
  const body = bodyOf(due, origins.page);
  const headers = signatureHeaders(due.secret, { id: due.id, at: now(), body });
  const outcome = await postMessage(due.url, { headers, body }, { ...webhookPolicy, attemptMs: parts.attemptMs }, closing);
  const { status, error } = outcome;
  // Its address may hold secrets, and what the server there answers is its owner's.
  log.info("webhook", { id: due.id, webhook: due.webhook_id, attempts: due.attempts, status, error });
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
  log.warn("a webhook was paused", { webhook: due.webhook_id, reason: paused });
  await sendEmail(parts, due.user_id, "webhookPaused", { path: "/settings/developer" });
}
