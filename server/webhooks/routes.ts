import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import {
  type CreatedWebhook,
  type DeliveriesAnswer,
  listedDeliveries,
  maxWebhooks,
  NewWebhook,
  type Webhook,
  WebhookChange,
  type WebhookDelivery,
  type WebhooksAnswer,
  webhookTest,
} from "#contract/index.ts";
import type { Bus } from "#server/bus/bus.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Log } from "#server/log/log.ts";
import { addressesOf, checkUrl, type UrlPolicy } from "#server/outbound/address.ts";
import { requireLiving } from "#server/session/queries.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import { changedWebhookLimit, sentWebhookLimit, type Throttle } from "#server/session/throttle.ts";
import { newDelivery } from "./messages.ts";
import {
  beginAgain,
  changePending,
  changeWebhook,
  countPending,
  deleteWebhook,
  findWebhook,
  insertDelivery,
  insertWebhook,
  listDeliveries,
  listWebhooks,
  type WebhookRow,
} from "./queries.ts";
import { maxWaiting } from "./rules.ts";
import { newWebhookSecret } from "./signature.ts";
import { viewDelivery, viewWebhook } from "./view.ts";

interface Parts extends SignInParts {
  log: Log;
  bus: Bus;
  throttle: Throttle;
  webhookPolicy: UrlPolicy;
}

const path = "/users/me/webhooks";

/**
 * A user's webhooks: create, list without secrets, change, pause, test; and the log of messages (contract/webhooks.ts).
 */
export function webhookRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);
  const { db, now, log, bus, throttle } = deps;
  const ownedBy = (c: Context<AppEnv>) => ({ id: c.req.param("id") ?? "", userId: c.var.user.id });
  const noted = (c: Context<AppEnv>, id: string) => ({ account: c.var.user.id, session: c.var.sessionId, id });

  app.get(path, signedIn, async (c) => {
    const webhooks = (await listWebhooks(db, c.var.user.id)).map(viewWebhook);
    return c.json({ webhooks } satisfies WebhooksAnswer);
  });

  app.post(path, signedIn, async (c) => {
    const { url, events } = await readJson(c, NewWebhook);
    const { user, sessionId } = c.var;
    await throttle.count(changedWebhookLimit, user.id);
    const row: WebhookRow = {
      id: randomUUID(),
      user_id: user.id,
      url: await checked(deps, url),
      events: JSON.stringify([...new Set(events)]),
      secret: newWebhookSecret(),
      created_at: now(),
      paused_at: null,
      pause_reason: null,
      failures: 0,
      failing_since: null,
    };
    await db.transaction().execute(async (t) => {
      await requireLiving(t, user.id, sessionId);
      if ((await listWebhooks(t, user.id)).length >= maxWebhooks)
        throw new Problem("tooManyAtOnce", `You already have ${maxWebhooks} webhooks: remove one first.`);
      await insertWebhook(t, row);
    });
    log.info("webhook created", noted(c, row.id));
    return c.json({ ...viewWebhook(row), secret: row.secret } satisfies CreatedWebhook, 201);
  });

  app.patch(`${path}/:id`, signedIn, async (c) => {
    const { url, events, paused } = await readJson(c, WebhookChange);
    const owned = ownedBy(c);
    if (url !== undefined) await throttle.count(changedWebhookLimit, owned.userId);
    await own(deps, owned);
    const change = {
      // A new address has no failures yet.
      ...(url !== undefined && { url: await checked(deps, url), failures: 0, failing_since: null }),
      ...(events !== undefined && { events: JSON.stringify([...new Set(events)]) }),
    };
    const row = await db.transaction().execute(async (t) => {
      await requireLiving(t, owned.userId, c.var.sessionId);
      const before = await own({ db: t }, owned);
      const isPaused = before.paused_at !== null;
      if (paused === undefined || paused === isPaused) return changeWebhook(t, owned, change);
      await changePending(t, owned.id, paused ? "held" : "waiting", now());
      return changeWebhook(t, owned, { ...change, ...(paused ? pausedBy(now()) : goingOn) });
    });
    if (row === undefined) throw new Problem("notFound");
    bus.publish("webhooks.due");
    log.info("webhook changed", noted(c, row.id));
    return c.json(viewWebhook(row) satisfies Webhook);
  });

  app.delete(`${path}/:id`, signedIn, async (c) => {
    const owned = ownedBy(c);
    if (!(await deleteWebhook(db, owned))) throw new Problem("notFound");
    log.info("webhook removed", noted(c, owned.id));
    return c.body(null, 204);
  });

  addLogRoutes(app, deps);
  return app;
}

/** The routes for the log of messages, for sending a message again, and for tests. */
function addLogRoutes(app: Hono<AppEnv>, deps: Parts): void {
  const signedIn = requireUser(deps);
  const { db, now, bus, throttle } = deps;
  const ownedBy = (c: Context<AppEnv>) => ({ id: c.req.param("id") ?? "", userId: c.var.user.id });

  app.get(`${path}/:id/deliveries`, signedIn, async (c) => {
    const { id } = await own(deps, ownedBy(c));
    const deliveries = (await listDeliveries(db, id, listedDeliveries)).map(viewDelivery);
    return c.json({ deliveries } satisfies DeliveriesAnswer);
  });

  app.post(`${path}/:id/test`, signedIn, async (c) => {
    await throttle.count(sentWebhookLimit, c.var.user.id);
    const row = await db.transaction().execute(async (t) => {
      const webhook = await working(t, ownedBy(c));
      if ((await countPending(t, webhook.id)) >= maxWaiting) throw new Problem("tooManyAtOnce");
      const made = newDelivery(webhook, { event: webhookTest, data: "{}" }, now());
      await insertDelivery(t, made);
      return made;
    });
    bus.publish("webhooks.due");
    return c.json(viewDelivery(row) satisfies WebhookDelivery, 202);
  });

  app.post(`${path}/:id/deliveries/:delivery/replay`, signedIn, async (c) => {
    await throttle.count(sentWebhookLimit, c.var.user.id);
    const row = await db.transaction().execute(async (t) => {
      const webhook = await working(t, ownedBy(c));
      return beginAgain(t, webhook.id, c.req.param("delivery"), now());
    });
    if (row === undefined) throw new Problem("notFound");
    bus.publish("webhooks.due");
    return c.json(viewDelivery(row) satisfies WebhookDelivery, 202);
  });
}

interface Owned {
  id: string;
  userId: string;
}

/** @throws Problem `notFound` */
async function own({ db }: Pick<Parts, "db">, owned: Owned): Promise<WebhookRow> {
  const row = await findWebhook(db, owned);
  if (row === undefined) throw new Problem("notFound");
  return row;
}

/** @throws Problem `notFound`, `conflict` while the webhook is paused */
async function working(t: Parts["db"], owned: Owned): Promise<WebhookRow> {
  const row = await own({ db: t }, owned);
  if (row.paused_at !== null) throw new Problem("conflict", "This webhook is paused: resume it first.");
  return row;
}

const pausedBy = (at: number) => ({ paused_at: at, pause_reason: "owner" });
const goingOn = { paused_at: null, pause_reason: null, failures: 0, failing_since: null };

/**
 * An address that may be called now; it is checked again before each attempt. @throws Problem `urlRefused`,
 * `urlUnreachable`, `urlTimeout`
 */
async function checked({ webhookPolicy }: Pick<Parts, "webhookPolicy">, text: string): Promise<string> {
  const url = checkUrl(text, webhookPolicy);
  await addressesOf(url, webhookPolicy);
  return url.href;
}
