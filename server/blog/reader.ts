import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { TrustedProxies } from "#server/http/client-address.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { AccessTokens } from "#server/session/access-tokens.ts";
import { addressOf } from "#server/session/require-user.ts";
import { readerTokenSeconds } from "#server/session/token-lifetimes.ts";

/** Who reads a post, or reacts to it. */
export interface BlogReader {
  id: string;
  /** By a cookie that this server has signed; else by a name of the caller's own choice. */
  isKnown: boolean;
  network: string;
}

interface ReaderParts {
  config: { trustProxy: TrustedProxies };
  origins: Origins;
  tokens: AccessTokens;
}

/**
 * SPEC.md section 6 has readers name themselves in the body, and a name costs nothing. So the first reaction under a name sets a signed
 * cookie, and from then on this browser is that reader, whatever names it sends. Who sends no cookie is taken at the name, as the
 * specification has it; of such readers few are counted from one network (blog/reader-queries.ts).
 * @param userId of the body
 */
export async function readerOf(c: Context<AppEnv>, deps: ReaderParts, userId: string): Promise<BlogReader> {
  const cookie = getCookie(c, nameOf(deps));
  const known = cookie === undefined ? undefined : await deps.tokens.verifyReader(cookie);
  const network = addressOf(c, deps.config.trustProxy);
  return known === undefined ? { id: userId, isKnown: false, network } : { id: known.sub, isKnown: true, network };
}

/**
 * Makes this browser that reader. The page may lie on a host of its own: under https its requests carry the cookie all the same, kept
 * apart for each site that the page is on, as browsers demand of it. Scripts don't see it, and it lets nobody in anywhere.
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
