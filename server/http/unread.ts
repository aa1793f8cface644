import type { ServerResponse } from "node:http";
import type { MiddlewareHandler } from "hono";
import { Problem } from "#server/errors/problem.ts";
import type { TrustedProxies } from "./client-address.ts";
import { addressOf } from "./client-network.ts";
import type { AppEnv } from "./env.ts";

/**
 * The maximum unread bytes of one network's answers: a long transcription has some megabytes, a download 256 kB at a
 * time.
 */
const maxUnreadBytes = 64 * 1024 * 1024;
/** Retry-After, in seconds. */
const retryAfter = 5;

/**
 * Refuses further requests of a network while it does not read its answers: a client that keeps requesting large
 * answers without reading them would fill the memory.
 * @throws Problem `tooManyAtOnce`
 */
export function limitUnread({ config }: { config: { trustProxy: TrustedProxies } }): MiddlewareHandler<AppEnv> {
  const open = new Map<string, Set<ServerResponse>>();
  return async (c, next) => {
    const { outgoing } = c.env;
    const network = addressOf(c, config.trustProxy);
    const answers = open.get(network) ?? new Set();
    const refuseBeyond = () => {
      let bytes = 0;
      for (const { writableLength } of answers) bytes += writableLength;
      if (bytes > maxUnreadBytes) throw new Problem("tooManyAtOnce", undefined, { retryAfter });
    };
    refuseBeyond();
    if (!outgoing.destroyed) {
      open.set(network, answers.add(outgoing));
      outgoing.once("close", () => {
        answers.delete(outgoing);
        if (answers.size === 0 && open.get(network) === answers) open.delete(network);
      });
    }
    await next();
    // Many requests may have been accepted at once. A change has already happened, and an event stream limits itself;
    // other bodies have nothing open before they are read.
    const isEventStream = c.res.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
    if (c.req.method === "GET" && !isEventStream) refuseBeyond();
  };
}
