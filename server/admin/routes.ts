import { type Context, type Handler, Hono, type MiddlewareHandler } from "hono";
import type { GenericSchema, InferOutput } from "valibot";
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
import { type Change, listAudit } from "./audit.ts";
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
  const counted: MiddlewareHandler<AppEnv> = async (c, next) => {
    await deps.throttle.count(adminActionLimit, c.var.user.id);
    await next();
  };

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

  app.patch(
    "/admin/users/:id/subscription",
    superuser,
    changes(deps, SubscriptionGrant, (by, change) => changeSubscription(deps, by, change)),
  );
  app.post(
    "/admin/users/:id/sign-out",
    superuser,
    changes(deps, ReasonGiven, (by) => signOutEverywhere(deps, by)),
  );
  app.patch(
    "/admin/users/:id",
    superuser,
    changes(deps, SuperuserChange, (by, { superuser: has }) => changeSuperuser(deps, by, has)),
  );
  app.post(
    "/admin/users/:id/confirm",
    superuser,
    counted,
    changes(deps, ReasonGiven, (by) => confirmUser(deps, by)),
  );
  app.patch(
    "/admin/users/:id/blocked",
    superuser,
    counted,
    changes(deps, BlockChange, (by, { blocked }) => (blocked ? blockUser(deps, by) : unblockUser(deps, by))),
  );
  app.delete("/admin/users/:id", superuser, counted, async (c) => {
    const { reason } = await readJson(c, ReasonGiven);
    await removeUser(deps, changeBy(c, reason));
    return c.body(null, 204);
  });

  app.get("/admin/audit", superuser, async (c) => {
    const { rows, pagination } = await listAudit(deps.db, check(AuditQuery, c.req.query()));
    return c.json({ entries: rows, pagination } satisfies InferOutput<typeof AuditAnswer>);
  });
  return app;
}

const changeBy = (c: Context<AppEnv>, reason: string): Change => ({
  actor: c.var.user,
  sessionId: c.var.sessionId,
  userId: c.req.param("id") ?? "",
  reason,
});

/** Changes an account for the reason in the body, and answers with its new state. */
function changes<Body extends { reason: string }>(
  deps: Parts,
  schema: GenericSchema<unknown, Body>,
  change: (by: Change, body: Body) => Promise<void>,
): Handler<AppEnv> {
  return async (c) => {
    const body = await readJson(c, schema);
    const by = changeBy(c, body.reason);
    await change(by, body);
    return c.json((await readUser(deps, by.userId, c.var)) satisfies AdminUser);
  };
}
