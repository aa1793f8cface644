import type { Context, MiddlewareHandler } from "hono";
import { Problem } from "#server/errors/problem.ts";
import { authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { AccessTokens } from "#server/session/access-tokens.ts";
import { sharedGrantSeconds } from "#server/session/token-lifetimes.ts";

// What visitors of links meet, whatever the link is to.

/** One answer for a link that was revoked, has ended, lost what it shows, or never was. */
export const linkNotFound = () => new Problem("notFound", "There is nothing at this link. It may have ended.");

/** No search engine keeps what a link shows. */
export const notIndexed: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  c.res.headers.set("X-Robots-Tag", "noindex, nofollow, noarchive");
};

interface Parts {
  origins: Origins;
  tokens: AccessTokens;
}

/**
 * What a browser is given that has opened a link: a cookie, for some hours, for this link alone.
 * @param name of the cookie @param path of the link's calls, with ":link" for its id
 */
export function createGrants({ origins, tokens }: Parts, name: string, path: string) {
  const cookieOf = (id: string) => authCookie({ origins }, name, path.replace(":link", id));
  return {
    /** What this browser's grant for a link is bound to; undefined without a valid one. */
    async lockOf(c: Context<AppEnv>, id: string): Promise<string | undefined> {
      const cookie = cookieOf(id).read(c);
      const grant = cookie === undefined ? undefined : await tokens.verifyShared(cookie);
      return grant?.sub === id ? grant.lock : undefined;
    },
    /** @param lock what it is bound to, besides its link: with another one it opens nothing */
    async give(c: Context<AppEnv>, id: string, lock: string): Promise<void> {
      cookieOf(id).write(c, await tokens.signShared({ sub: id, lock }), sharedGrantSeconds);
    },
  };
}
