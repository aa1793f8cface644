import { Hono } from "hono";
import { AnalyticsQuery, type BlogAnalytics } from "#contract/index.ts";
import type { AppEnv, Deps } from "#server/deps.ts";
import { check } from "#server/http/body.ts";
import { requireSuperuser } from "#server/session/require-user.ts";
import { analyseBlog } from "./analytics.ts";

/** The blog in numbers (SPEC.md sections 3 and 7). */
export function blogAnalyticsRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get("/admin/blog/analytics", requireSuperuser(deps), async (c) => {
    const { days } = check(AnalyticsQuery, c.req.query());
    return c.json((await analyseBlog(deps, days)) satisfies BlogAnalytics);
  });
  return app;
}
