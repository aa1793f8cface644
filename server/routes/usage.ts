import { Hono } from "hono";
import type { Usage } from "../../src/api/contract/index.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { requireUser } from "../http/session.ts";

/** GET /api/v1/usage: how much of the month's free minutes a person has used. */
export function usageRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/api/v1/usage", requireUser(deps), async (c) => {
    return c.json((await deps.usage.of(c.var.user.id)) satisfies Usage);
  });
  return app;
}
