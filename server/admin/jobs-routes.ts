import { Hono } from "hono";
import { JobsQuery } from "#contract/index.ts";
import type { AppEnv, Deps } from "#server/deps.ts";
import { check } from "#server/http/body.ts";
import { requireSuperuser } from "#server/session/require-user.ts";
import { listJobs, retryJob } from "./jobs.ts";

/** The queue of transcriptions, for superusers: what is in it, and another try for what has failed. */
export function adminJobRoutes(deps: Deps): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const superuser = requireSuperuser(deps);

  app.get("/admin/jobs", superuser, async (c) => c.json(await listJobs(deps, check(JobsQuery, c.req.query()))));

  app.post("/admin/jobs/:id/retry", superuser, async (c) => c.json(await retryJob(deps, c.req.param("id"), c.var.user)));
  return app;
}
