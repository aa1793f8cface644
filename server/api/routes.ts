import { Hono } from "hono";
import type { RouterRoute } from "hono/types";
import type { AppEnv } from "#server/http/env.ts";
import { openApiDocument } from "./document.ts";

/**
 * GET /openapi.json: the description of the API for programs.
 * @param routes all routes of the application, called once
 */
export function apiDescriptionRoutes(routes: () => readonly RouterRoute[]): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  let text: Promise<string> | undefined;
  app.get("/openapi.json", async (c) => {
    text ??= openApiDocument(routes()).then((document) => JSON.stringify(document));
    return c.body(await text, 200, { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" });
  });
  return app;
}
