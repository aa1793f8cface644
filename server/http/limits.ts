import type { Handler, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { Problem } from "#server/errors/problem.ts";
import { bodyConcurrency, type Concurrency } from "./concurrency.ts";
import type { AppEnv } from "./env.ts";

/** Maximum body size unless a route sets another (bytes). */
const smallBody = 64 * 1024;
/**
 * Maximum length of path and query (characters): twice the longest search, 500 characters of nine each when encoded.
 */
const maxTarget = 8 * 1024;
/**
 * Limits of a request's headers: size (bytes; Node's default, made explicit) and number. Browsers send about thirty.
 */
export const maxHeaderBytes = 16 * 1024;
const maxHeaders = 100;

interface BodyLimit {
  /** Bytes. */
  max: number;
  /** The route reads it as a stream, and enforces its own limit. */
  streamed: boolean;
}

const limits = new WeakMap<object, BodyLimit>();

/**
 * For a route with a larger body than the default, which is read into memory, up to `max` bytes. Place it after the
 * authentication: only a few bodies of one person are read at the same time.
 */
export function takesBody(max: number, { concurrency }: { concurrency: Concurrency }): MiddlewareHandler<AppEnv> {
  return limited({ max, streamed: false }, (c, next) => concurrency.run(bodyConcurrency, c.var.user.id, c.req.raw.signal, next));
}

/** The same for a route that has a queue of its own, or takes bodies from unknown senders. */
export function readsBody(max: number): MiddlewareHandler<AppEnv> {
  return limited({ max, streamed: false });
}

/** The same for a streamed body: Content-Length is limited to `max` bytes, and the route counts the bytes received. */
export function streamsBody(max: number): MiddlewareHandler<AppEnv> {
  return limited({ max, streamed: true });
}

function limited(limit: BodyLimit, take: MiddlewareHandler<AppEnv> = (_c, next) => next()): MiddlewareHandler<AppEnv> {
  // A new function per route: the limit is found by its identity.
  const own: MiddlewareHandler<AppEnv> = (c, next) => take(c, next);
  limits.set(own, limit);
  return own;
}

function limitOf(handlers: readonly Handler[]): BodyLimit {
  for (const handler of handlers.toReversed()) {
    const limit = limits.get(handler);
    if (limit !== undefined) return limit;
  }
  return { max: smallBody, streamed: false };
}

/**
 * Limits URLs, headers and bodies (by Content-Length) before anything is read. A body without Content-Length is cut off
 * at its route's limit while it is read. So no handler can read more into memory than its route declares.
 * @throws Problem `tooLarge` (413; 414 for the URL, 431 for the headers)
 */
export function limitRequests(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { incoming } = c.env;
    if ((incoming.url ?? "").length > maxTarget) throw new Problem("tooLarge", "The URL is too long.", { status: 414 });
    if (incoming.rawHeaders.length > maxHeaders * 2)
      throw new Problem("tooLarge", "The request has too many headers.", { status: 431 });
    const { max, streamed } = limitOf(matchedRoutes(c).map(({ handler }) => handler));
    if (Number(incoming.headers["content-length"] ?? 0) > max) throw tooLarge(max);
    const hasBody = c.req.method !== "GET" && c.req.method !== "HEAD" && incoming.headers["transfer-encoding"] !== undefined;
    if (hasBody && !streamed) {
      const { body } = c.req.raw;
      if (body !== null) c.req.raw = new Request(c.req.raw, { body: body.pipeThrough(cutAt(max)) });
    }
    await next();
  };
}

function cutAt(max: number): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform: (part, controller) => {
      size += part.byteLength;
      if (size > max) throw tooLarge(max);
      controller.enqueue(part);
    },
  });
}

function tooLarge(max: number): Problem {
  return new Problem("tooLarge", `The body is larger than ${max} bytes.`);
}
