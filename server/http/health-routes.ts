import { Hono } from "hono";
import { askDb, type Db } from "#server/db/open.ts";
import type { AppEnv } from "./env.ts";

/** GET /: whether the API and its database work. */
export function healthRoutes({ db }: { db: Db }): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.get("/", async (c) => {
    await askDb(db);
    return c.json({ name: "Parlance", status: "ok" });
  });
  return app;
}
