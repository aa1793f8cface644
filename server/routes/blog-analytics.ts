import { Hono } from "hono";
import { AnalyticsQuery, type BlogAnalytics } from "../../src/api/contract/index.ts";
import { analyseBlog } from "../blog/analytics.ts";
import type { AppEnv, Deps } from "../deps.ts";
import { check } from "../http/body.ts";
import { requireSuperuser } from "../http/session.ts";

/** The blog in numbers (SPEC.md sections 3 and 7). */
export function blogAnalyticsRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.get("/admin/blog/analytics", requireSuperuser(deps), async (c) => {
    const { days } = check(AnalyticsQuery, c.req.query());
    return c.json((await analyseBlog(deps, days)) satisfies BlogAnalytics);
  });
  return app;
}
