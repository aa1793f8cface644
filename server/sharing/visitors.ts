import type { Context, MiddlewareHandler } from "hono";
import { Problem } from "#server/errors/problem.ts";
import { authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { AccessTokens } from "#server/session/access-tokens.ts";
import { sharedGrantSeconds } from "#server/session/token-lifetimes.ts";

// Shared by the visitor routes of all kinds of links.

/** The same answer for a link that was revoked, has ended, lost its content, or never existed. */
export const linkNotFound = () => new Problem("notFound", "This link leads nowhere. It may have expired or been revoked.");

/** Keeps search engines from indexing the content of links. */
export const notIndexed: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.res.headers.set("X-Robots-Tag", "noindex, nofollow, noarchive");
};

interface Parts {
  origins: Origins;
  tokens: AccessTokens;
}

/**
 * The grant of a browser that has opened a link: a cookie, valid for some hours and for this link alone.
 * @param name of the cookie
 * @param path of the link's calls, with ":link" for its id
 */
export function createGrants({ origins, tokens }: Parts, name: string, path: string) {
  const cookieOf = (id: string) => authCookie({ origins }, name, path.replace(":link", id));
  return {
    /** The lock that this browser's grant is bound to; undefined without a valid grant. */
    async lockOf(c: Context<AppEnv>, id: string): Promise<string | undefined> {
      const cookie = cookieOf(id).read(c);
      const grant = cookie === undefined ? undefined : await tokens.verifyShared(cookie);
      return grant?.sub === id ? grant.lock : undefined;
    },
    /** @param lock bound to the grant, besides the link; when the link's lock changes, the grant opens nothing */
    async give(c: Context<AppEnv>, id: string, lock: string): Promise<void> {
      cookieOf(id).write(c, await tokens.signShared({ sub: id, lock }), sharedGrantSeconds);
    },
  };
}
