import type { Handler, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { Problem } from "#server/common/problem.ts";
import type { AppEnv } from "./env.ts";

/** Largest body unless a route says otherwise (bytes). */
const smallBody = 64 * 1024;
/** Longest path and query (characters). The longest that is meant, a search of 500 characters with nine each, is half of it. */
const maxTarget = 8 * 1024;
/** Headers of one request, all together (bytes; Node's own default, said here) and in number. Browsers send some thirty. */
export const maxHeaderBytes = 16 * 1024;
const maxHeaders = 100;

interface BodyLimit {
  /** Bytes. */
  max: number;
  /** The route reads it as it comes, and keeps to its own limit while it does. */
  streamed: boolean;
}

const limits = new WeakMap<object, BodyLimit>();

/** Stands where a route is registered whose body may be larger than the small ones: read into memory, up to `max` bytes. */
export function takesBody(max: number): MiddlewareHandler<AppEnv> {
  return limited({ max, streamed: false });
}

/** The same for a route that never holds its body: it is announced with at most `max` bytes, and the route counts what comes. */
export function streamsBody(max: number): MiddlewareHandler<AppEnv> {
  return limited({ max, streamed: true });
}

function limited(limit: BodyLimit): MiddlewareHandler<AppEnv> {
  // One of its own for each route: it is what the limit is found by.
  const pass: MiddlewareHandler<AppEnv> = (_c, next) => next();
  limits.set(pass, limit);
  return pass;
}

function limitOf(handlers: readonly Handler[]): BodyLimit {
  for (const handler of handlers.toReversed()) {
    const limit = limits.get(handler);
    if (limit !== undefined) return limit;
  }
  return { max: smallBody, streamed: false };
}

/**
 * Refuses what is too long before anything of it is read: addresses, headers, and bodies by what they announce. A body that announces
 * nothing is cut off where its route's limit is, while it comes. So nothing behind this can read more into memory than its route has named.
 * @throws Problem `tooLarge` (413; 414 for the address, 431 for the headers)
 */
export function limitRequests(): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { incoming } = c.env;
    if ((incoming.url ?? "").length > maxTarget) throw new Problem("tooLarge", "The address is too long.", { status: 414 });
    if (incoming.rawHeaders.length > maxHeaders * 2)
      throw new Problem("tooLarge", "There are too many headers.", { status: 431 });
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
