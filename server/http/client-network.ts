import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { clientAddress, networkOf, type TrustedProxies } from "./client-address.ts";
import type { AppEnv } from "./env.ts";

/** The client's network, as a key for rate limits: clients cannot choose it. */
export function addressOf(c: Context<AppEnv>, trustedProxies: TrustedProxies): string {
  return networkKey(getConnInfo(c).remote.address, c.req.header("x-forwarded-for"), trustedProxies);
}

/**
 * The same for a request outside Hono.
 * @param socket the connection's remote address
 * @param forwarded X-Forwarded-For
 */
export function networkKey(
  socket: string | undefined,
  forwarded: string | readonly string[] | undefined,
  trustedProxies: TrustedProxies,
): string {
  const client = clientAddress(socket, typeof forwarded === "string" ? forwarded : forwarded?.join(","), trustedProxies);
  return client === undefined ? "unknown" : networkOf(client);
}
