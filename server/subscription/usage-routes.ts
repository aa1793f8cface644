import { Hono } from "hono";
import type { StorageUse, Usage } from "#contract/index.ts";
import type { AppEnv } from "#server/http/env.ts";
import { requireUser, type SignInParts } from "#server/session/require-user.ts";
import type { StorageQuota } from "./storage-quota.ts";
import type { UsageMeter } from "./usage.ts";

interface Parts extends SignInParts {
  usage: UsageMeter;
  quota: StorageQuota;
  hasVault(userId: string): Promise<boolean>;
}

/** GET /api/v1/usage: a person's usage of this month's free minutes; GET /api/v1/storage: the storage used, in bytes. */
export function usageRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/api/v1/usage", requireUser(deps), async (c) => {
    const { id } = c.var.user;
    const usage: Usage = await deps.usage.of(id);
    return c.json(((await deps.hasVault(id)) ? { ...usage, hasVault: true } : usage) satisfies Usage);
  });
  app.get("/api/v1/storage", requireUser(deps), async (c) => {
    return c.json((await deps.quota.of(c.var.user.id)) satisfies StorageUse);
  });
  return app;
}
