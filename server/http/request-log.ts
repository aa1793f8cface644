import { randomUUID } from "node:crypto";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { requestAnswered } from "#server/log/events.ts";
import type { Log } from "#server/log/log.ts";
import { inRequestContext } from "#server/log/request-context.ts";
import { traced } from "#server/log/tracing.ts";
import { isTrustedPeer, type TrustedProxies } from "./client-address.ts";
import type { AppEnv } from "./env.ts";

interface Parts {
  config: { trustProxy: TrustedProxies };
  log: Log;
}

const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
/** The allowed form of a proxy's request id: nothing that could break a line or carry a text. */
const safeId = /^[A-Za-z0-9][\w.-]{7,63}$/;

/**
 * Gives each request an id, which is in its answer as X-Request-Id and in all log entries of its work; counts it, and
 * logs a line: method, the route's pattern, status, ms. Paths are not logged, because they may contain a user's input.
 */
export function observeRequests({ config, log }: Parts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const isFromProxy = isTrustedPeer(getConnInfo(c).remote.address, config.trustProxy);
    const given = isFromProxy ? c.req.header("x-request-id") : undefined;
    const requestId = given !== undefined && safeId.test(given) ? given : randomUUID();
    const traceparent = isFromProxy ? c.req.header("traceparent") : undefined;
    const route = routeOf(c);
    const method = knownMethods.has(c.req.method) ? c.req.method : "other";
    const from = performance.now();
    const attributes = { "http.request.method": method, "http.route": route };
    await inRequestContext({ requestId }, () =>
      traced({ name: `${method} ${route}`, kind: "server", attributes, traceparent }, async (span) => {
        await next();
        const { status } = c.res;
        const ms = performance.now() - from;
        span.set({ "http.response.status_code": status });
        requestAnswered.happened({ method, route, status, seconds: ms / 1000 });
        log.info("request", { method, route, status, ms: Math.round(ms) });
      }),
    );
    c.res.headers.set("X-Request-Id", requestId);
  };
}

/** The pattern of the answering route: patterns are few, and don't contain a user's input. */
export function routeOf(c: Context<AppEnv>): string {
  const path = matchedRoutes(c).at(-1)?.path;
  return path === undefined || path === "/*" || path === "*" ? "unmatched" : path;
}
