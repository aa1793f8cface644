import type { MiddlewareHandler } from "hono";
import type { TrustedProxies } from "./client-address.ts";
import { addressOf } from "./client-network.ts";
import type { AppEnv } from "./env.ts";

/** Requests of one network that begin in one turn of the event loop. */
const perTick = 2;

/**
 * Starts the requests of one network a few at a time: hundreds of simultaneous requests that are answered without
 * waiting would block the event loop, and thereby all other users, until the last one is answered.
 */
export function yieldToEventLoop({ config }: { config: { trustProxy: TrustedProxies } }): MiddlewareHandler<AppEnv> {
  const begun = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();
  let isCounting = false;
  const count = () => {
    if (isCounting) return;
    isCounting = true;
    setImmediate(() => {
      isCounting = false;
      begun.clear();
      for (const [network, queue] of waiting) {
        const next = queue.splice(0, perTick);
        begun.set(network, next.length);
        if (queue.length === 0) waiting.delete(network);
        for (const goOn of next) goOn();
      }
      if (begun.size > 0) count();
    });
  };
  return async (c, next) => {
    const network = addressOf(c, config.trustProxy);
    const before = begun.get(network) ?? 0;
    count();
    if (before < perTick) begun.set(network, before + 1);
    else {
      const queue = waiting.get(network) ?? [];
      waiting.set(network, queue);
      await new Promise<void>((resolve) => queue.push(resolve));
    }
    await next();
  };
}
