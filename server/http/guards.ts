import type { MiddlewareHandler } from "hono";
import { cors } from "hono/cors";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "./env.ts";
import type { Origins } from "./origins.ts";

/** Headers of resumable uploads, in both directions. */
const tusHeaders = ["Tus-Resumable", "Upload-Length", "Upload-Metadata", "Upload-Offset"];
/** HSTS for the page and the API: a year, in seconds. */
export const strictTransport = "max-age=31536000";
const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** CORS with credentials, for the page's own origins only. */
export function corsForPage({ origins }: { origins: Origins }): MiddlewareHandler<AppEnv> {
  return cors({
    origin: (origin, c) => (origins.allows(origin, c.req.header("host")) ? origin : null),
    credentials: true,
    allowMethods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowHeaders: ["Authorization", "Content-Type", "Range", "Last-Event-ID", ...tusHeaders],
    // Date lets the page measure its clock skew.
    exposeHeaders: [
      ...["Content-Disposition", "Content-Range", "Accept-Ranges", "ETag", "Retry-After", "Date", "Location", "X-Request-Id"],
      ...["Upload-Expires", "Tus-Version", "Tus-Extension", "Tus-Max-Size", ...tusHeaders],
    ],
    maxAge: 600,
  });
}

/** Forms of the API's own pages: authorised by their unguessable URL. */
const ownForms = /^\/billing\/test\//;

/**
 * CSRF protection: refuses changes by pages of other origins, whatever cookies they send.
 * @throws Problem `forbidden`
 */
export function csrfProtection({ origins }: { origins: Origins }): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (!safeMethods.has(c.req.method) && !ownForms.test(c.req.path)) {
      const origin = c.req.header("origin");
      const strange =
        origin === undefined ? c.req.header("sec-fetch-site") === "cross-site" : !origins.allows(origin, c.req.header("host"));
      if (strange) throw new Problem("forbidden", "Requests from this origin are not allowed.");
    }
    await next();
  };
}

/** Headers of API responses: no sniffing, framing, caching or execution; HSTS where it is https. */
export function apiHeaders({ origins }: { origins: Origins }): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("Referrer-Policy", "no-referrer");
    if (origins.secureApi) headers.set("Strict-Transport-Security", strictTransport);
    if (!headers.has("Cross-Origin-Resource-Policy")) headers.set("Cross-Origin-Resource-Policy", "same-site");
    if (!headers.has("Content-Security-Policy")) {
      headers.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    }
    if (!headers.has("Cache-Control")) headers.set("Cache-Control", "no-store");
  };
}
