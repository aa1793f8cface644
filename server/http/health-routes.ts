import { Hono } from "hono";
import { sql } from "kysely";
import type { AppEnv, Deps } from "#server/deps.ts";

/** GET /: whether the API and its database work. */
export function healthRoutes({ db }: Pick<Deps, "db">): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/", async (c) => {
    await sql`select 1`.execute(db);
    return c.json({ name: "Parlance", status: "ok" });
  });
  return app;
}
