import { Hono } from "hono";
import { parse } from "valibot";
import { SkipNext } from "#contract/index.ts";
import { readJson } from "#server/http/body.ts";
import type { AppEnv } from "#server/http/env.ts";
import { type AdminParts, requireSuperuser } from "#server/session/require-user.ts";
import type { Scheduler } from "./schedule.ts";

interface Parts extends AdminParts {
  scheduler: Scheduler;
}

/** Scheduled posting (SPEC.md section 7, "Blog, admin"). */
export function blogScheduleRoutes(deps: Parts): Hono<AppEnv> {
  const { scheduler } = deps;
  const app = new Hono<AppEnv>();
  const superuser = requireSuperuser(deps);

  app.get("/admin/blog/scheduled-status", superuser, async (c) => c.json(await scheduler.status()));

  // 202: the post is still being written.
  app.post("/admin/blog/trigger-scheduled", superuser, async (c) => c.json(await scheduler.trigger(), 202));

  app.post("/admin/blog/skip-next-scheduled", superuser, async (c) => {
    const { skip } = c.req.header("content-type") === undefined ? parse(SkipNext, {}) : await readJson(c, SkipNext);
    return c.json(await scheduler.skipNext(skip));
  });
  return app;
}
