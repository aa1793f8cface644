import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { AccessTokens } from "#server/session/access-tokens.ts";
import { readerTokenSeconds } from "#server/session/token-lifetimes.ts";

/** The reader of a post, or the author of a reaction. */
export interface BlogReader {
  id: string;
  /** Identified by a cookie signed by this server; else by an id of the caller's choice. */
  isKnown: boolean;
  network: string;
}

interface ReaderParts {
  config: { trustProxy: TrustedProxies };
  origins: Origins;
  tokens: AccessTokens;
}

/**
 * SPEC.md section 6 lets readers choose their id in the body, at no cost. So the first reaction under an id sets a
 * signed cookie, which identifies this browser from then on, whatever ids it sends. Without a cookie the id is used, as
 * the specification says; the number of such readers is limited per network (blog/reader-queries.ts).
 * @param userId from the body
 */
export async function readerOf(c: Context<AppEnv>, deps: ReaderParts, userId: string): Promise<BlogReader> {
  const cookie = getCookie(c, nameOf(deps));
  const known = cookie === undefined ? undefined : await deps.tokens.verifyReader(cookie);
  const network = addressOf(c, deps.config.trustProxy);
  return known === undefined ? { id: userId, isKnown: false, network } : { id: known.sub, isKnown: true, network };
}

/**
 * Sets the reader's cookie. The page may be on another host: under https the cookie is sent cross-site, and partitioned
 * by site, as browsers demand. Scripts can't read it, and it grants no access.
 */
export async function rememberReader(c: Context<AppEnv>, deps: ReaderParts, { id, isKnown }: BlogReader): Promise<void> {
  if (isKnown) return;
  const secure = deps.origins.secureApi;
  setCookie(c, nameOf(deps), await deps.tokens.signReader({ sub: id }), {
    httpOnly: true,
    path: "/",
    maxAge: readerTokenSeconds,
    ...(secure ? { secure, sameSite: "None", partitioned: true } : { sameSite: "Lax" }),
  });
}

function nameOf({ origins }: { origins: Origins }): string {
  return origins.secureApi ? "__Host-parlance_reader" : "parlance_reader";
}
