import { Hono } from "hono";
import { JobsQuery } from "#contract/index.ts";
import { check } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type AdminParts, requireSuperuser } from "#server/session/require-user.ts";
import { adminActionLimit, type Throttle } from "#server/session/throttle.ts";
import { type AdminJobParts, cancelJob, listJobs, retryJob } from "./jobs.ts";

interface Parts extends AdminParts, AdminJobParts {
  throttle: Throttle;
}

/** The queue of transcriptions, for superusers: listing, retrying and cancelling. */
export function adminJobRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const superuser = requireSuperuser(deps);

  app.get("/admin/jobs", superuser, async (c) => c.json(await listJobs(deps, check(JobsQuery, c.req.query()))));

  app.post("/admin/jobs/:id/retry", superuser, async (c) => c.json(await retryJob(deps, c.req.param("id"), c.var.user)));

  app.post("/admin/jobs/:id/cancel", superuser, async (c) => {
    await deps.throttle.count(adminActionLimit, c.var.user.id);
    return c.json(await cancelJob(deps, c.req.param("id"), c.var.user));
  });
  return app;
}
