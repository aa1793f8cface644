import { Hono } from "hono";
import { AnalyticsQuery, type BlogAnalytics } from "#contract/index.ts";
import { check } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type AdminParts, requireSuperuser } from "#server/session/require-user.ts";
import { analyseBlog } from "./analytics.ts";

/** The blog's metrics (SPEC.md sections 3 and 7). */
export function blogAnalyticsRoutes(deps: AdminParts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get("/admin/blog/analytics", requireSuperuser(deps), async (c) => {
    const { days } = check(AnalyticsQuery, c.req.query());
    return c.json((await analyseBlog(deps, days)) satisfies BlogAnalytics);
  });
  return app;
}
