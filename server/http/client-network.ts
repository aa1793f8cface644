import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { clientAddress, networkOf, type TrustedProxies } from "./client-address.ts";
import type { AppEnv } from "./env.ts";

/** The client's network, as a key for rate limits: clients cannot choose it. */
export function addressOf(c: Context<AppEnv>, trustedProxies: TrustedProxies): string {
  const client = clientAddress(getConnInfo(c).remote.address, c.req.header("x-forwarded-for"), trustedProxies);
  return client === undefined ? "unknown" : networkOf(client);
}
