import { Hono } from "hono";
import type { StorageUse, Usage } from "#contract/index.ts";
import type { AppEnv } from "#server/http/env.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import type { StorageQuota } from "./storage-quota.ts";
import type { UsageMeter } from "./usage.ts";

interface Parts extends SignInParts {
  usage: UsageMeter;
  quota: StorageQuota;
}

/** GET /api/v1/usage: how much of the month's free minutes a person has used; GET /api/v1/storage: how many bytes are kept. */
export function usageRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/api/v1/usage", requireUser(deps), async (c) => {
    return c.json((await deps.usage.of(c.var.user.id)) satisfies Usage);
  });
  app.get("/api/v1/storage", requireUser(deps), async (c) => {
    return c.json((await deps.quota.of(c.var.user.id)) satisfies StorageUse);
  });
  return app;
}
