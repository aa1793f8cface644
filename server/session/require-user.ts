import type { MiddlewareHandler } from "hono";
import { Problem } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { findSignedIn } from "./queries.ts";

/** What authentication needs. */
export interface SignInParts {
  db: Db;
  tokens: AccessTokens;
}

/** Admits signed-in users only and sets `c.var.user`. @throws Problem `unauthorized` */
export function requireUser(deps: SignInParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const token = bearerOf(c.req.header("authorization"));
    if (token === undefined) throw new Problem("unauthorized", "No auth token: sign in first.");
    const claims = await deps.tokens.verify(token);
    const user = claims === undefined ? undefined : await findSignedIn(deps.db, claims.sub, claims.sid);
    if (claims === undefined || user === undefined) throw new Problem("unauthorized", "The auth token is not valid any more.");
    c.set("user", user);
    c.set("sessionId", claims.sid);
    c.set("tokenExpiresAt", claims.exp * 1000);
    await next();
  };
}

/** Admits superusers only (SPEC.md section 6). @throws Problem `adminRequired` for everybody else, signed in or not */
export function requireSuperuser(deps: SignInParts): MiddlewareHandler<AppEnv> {
  const identify = requireUser(deps);
  return async (c, next) => {
    await identify(c, async () => undefined).catch((error: unknown) => {
      throw error instanceof Problem && error.code === "unauthorized" ? new Problem("adminRequired") : error;
    });
    if (c.var.user.is_superuser !== 1) throw new Problem("adminRequired");
    await next();
  };
}

export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(header ?? "")?.[1];
}
