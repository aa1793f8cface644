import { Hono } from "hono";
import { StorageUse, Usage } from "#contract/index.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type AccessParts, accessFor } from "#server/session/require-access.ts";
import type { StorageQuota } from "./storage-quota.ts";
import type { UsageMeter } from "./usage.ts";

interface Parts extends AccessParts {
  usage: UsageMeter;
  quota: StorageQuota;
  hasVault(userId: string): Promise<boolean>;
}

const about = { tag: "account", scope: "account:read" } as const;
const usageOperation = {
  ...about,
  id: "getUsage",
  json: Usage,
} as const;
const storageOperation = {
  ...about,
  id: "getStorage",
  json: StorageUse,
} as const;

/** GET /api/v1/usage: a user's usage of this month's free minutes; GET /api/v1/storage: the storage used, in bytes. */
export function usageRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const access = accessFor(deps);
  app.get("/api/v1/usage", access(usageOperation), async (c) => {
    const { id } = c.var.user;
    const usage: Usage = await deps.usage.of(id);
    return c.json(((await deps.hasVault(id)) ? { ...usage, hasVault: true } : usage) satisfies Usage);
  });
  app.get("/api/v1/storage", access(storageOperation), async (c) => {
    return c.json((await deps.quota.of(c.var.user.id)) satisfies StorageUse);
  });
  return app;
}
