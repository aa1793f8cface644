import { Hono } from "hono";
import type { InferOutput } from "valibot";
import {
  type AdminMetrics,
  type AdminUser,
  type AdminUsersAnswer,
  AdminUsersQuery,
  type AuditAnswer,
  AuditQuery,
  BlockChange,
  MetricsQuery,
  ReasonGiven,
  SubscriptionGrant,
  SuperuserChange,
} from "#contract/index.ts";
import { check, readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Worker } from "#server/jobs/worker.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { type AdminParts, requireSuperuser } from "#server/session/require-user.ts";
import { adminActionLimit, type Throttle } from "#server/session/throttle.ts";
import type { SpeechSynthesizer } from "#server/speech/espeak.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import type { Billing } from "#server/subscription/open-billing.ts";
import type { Translation } from "#server/translation/index.ts";
import { blockUser, confirmUser, type EraseAccount, removeUser, unblockUser } from "./accounts.ts";
import { listAudit } from "./audit.ts";
import { changeSubscription, changeSuperuser, signOutEverywhere } from "./changes.ts";
import { readMetrics } from "./metrics.ts";
import { readUser } from "./user.ts";
import { listUsers } from "./users.ts";

interface Parts extends AdminParts {
  config: { dataDir: string; llm: { apiUrl?: string; apiModel: string } };
  connections: OpenConnections;
  outbox: Outbox;
  billing: Billing;
  storage: Storage;
  engines: SpeechEngines;
  translation: Translation;
  synthesizer: SpeechSynthesizer;
  throttle: Throttle;
  worker: Worker;
  eraseAccount: EraseAccount;
}

/** The admin panel (DESIGN.md section 4): metrics, accounts, and actions on an account. */
export function adminRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const superuser = requireSuperuser(deps);

  app.get("/admin/metrics", superuser, async (c) => {
    const { days } = check(MetricsQuery, c.req.query());
    return c.json((await readMetrics(deps, days)) satisfies AdminMetrics);
  });

  app.get("/admin/users", superuser, async (c) => {
    const { rows, pagination } = await listUsers(deps.db, check(AdminUsersQuery, c.req.query()), deps.now());
    return c.json({ users: rows, pagination } satisfies InferOutput<typeof AdminUsersAnswer>);
  });

  app.get("/admin/users/:id", superuser, async (c) => {
    return c.json((await readUser(deps, c.req.param("id"), c.var)) satisfies AdminUser);
  });

  app.patch("/admin/users/:id/subscription", superuser, async (c) => {
    const change = await readJson(c, SubscriptionGrant);
    const by = { actor: c.var.user, userId: c.req.param("id"), reason: change.reason };
    await changeSubscription(deps, by, change);
    return c.json((await readUser(deps, by.userId, c.var)) satisfies AdminUser);
  });

  app.post("/admin/users/:id/sign-out", superuser, async (c) => {
    const { reason } = await readJson(c, ReasonGiven);
    const by = { actor: c.var.user, userId: c.req.param("id"), reason };
    await signOutEverywhere(deps, by, c.var.sessionId);
    return c.json((await readUser(deps, by.userId, c.var)) satisfies AdminUser);
  });

  app.patch("/admin/users/:id", superuser, async (c) => {
    const { superuser: has, reason } = await readJson(c, SuperuserChange);
    const by = { actor: c.var.user, userId: c.req.param("id"), reason };
    await changeSuperuser(deps, by, has);
    return c.json((await readUser(deps, by.userId, c.var)) satisfies AdminUser);
  });

  app.post("/admin/users/:id/confirm", superuser, async (c) => {
    await deps.throttle.count(adminActionLimit, c.var.user.id);
    const { reason } = await readJson(c, ReasonGiven);
    const by = { actor: c.var.user, userId: c.req.param("id"), reason };
    await confirmUser(deps, by);
    return c.json((await readUser(deps, by.userId, c.var)) satisfies AdminUser);
  });

  app.patch("/admin/users/:id/blocked", superuser, async (c) => {
    await deps.throttle.count(adminActionLimit, c.var.user.id);
    const { blocked, reason } = await readJson(c, BlockChange);
    const by = { actor: c.var.user, userId: c.req.param("id"), reason };
    await (blocked ? blockUser(deps, by) : unblockUser(deps, by));
    return c.json((await readUser(deps, by.userId, c.var)) satisfies AdminUser);
  });

  app.delete("/admin/users/:id", superuser, async (c) => {
    await deps.throttle.count(adminActionLimit, c.var.user.id);
    const { reason } = await readJson(c, ReasonGiven);
    await removeUser(deps, { actor: c.var.user, userId: c.req.param("id"), reason });
    return c.body(null, 204);
  });

  app.get("/admin/audit", superuser, async (c) => {
    const { rows, pagination } = await listAudit(deps.db, check(AuditQuery, c.req.query()));
    return c.json({ entries: rows, pagination } satisfies InferOutput<typeof AuditAnswer>);
  });
  return app;
}
