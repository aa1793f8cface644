import { Hono } from "hono";
import { Problem } from "#server/errors/problem.ts";
import { credentialsOf } from "#server/http/bearer.ts";
import type { AppEnv } from "#server/http/env.ts";
import { hashOf, isSecretOf } from "#server/session/secrets.ts";
import type { Metrics } from "./metrics.ts";
import type { Readiness } from "./readiness.ts";

interface Parts {
  /** Undefined when metrics are not configured. */
  metrics: Metrics | undefined;
  readiness: Readiness;
  config: { operations: { metrics: { token: string | undefined } } };
}

/**
 * The operator's endpoints: /healthz (the process is alive), /readyz (it can take work, or why not) and, with
 * METRICS_TOKEN, /metrics.
 */
export function telemetryRoutes({ metrics, readiness, config }: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { token } = config.operations.metrics;
  app.get("/healthz", (c) => c.json({ status: "ok" }));
  app.get("/readyz", async (c) => {
    const reasons = await readiness.reasons();
    return reasons.length === 0 ? c.json({ status: "ready", reasons }) : c.json({ status: "notReady", reasons }, 503);
  });
  app.get("/metrics", async (c) => {
    if (metrics === undefined || token === undefined) throw new Problem("notFound");
    if (!isToken(c.req.header("authorization"), token)) throw new Problem("unauthorized");
    return c.body(await metrics.text(), 200, { "Content-Type": metrics.contentType });
  });
  return app;
}

/** Compares in constant time. @param header "Bearer …" */
export function isToken(header: string | undefined, token: string): boolean {
  return isSecretOf(credentialsOf(header) ?? "", hashOf(token));
}
