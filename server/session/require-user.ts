import type { MiddlewareHandler } from "hono";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { bearerOf } from "#server/http/bearer.ts";
import type { AppEnv } from "#server/http/env.ts";
import { askAgain } from "#server/http/while-allowed.ts";
import type { User } from "#server/users/tables.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { beganWithPasskey, hasSecondFactor } from "./credential-queries.ts";
import { findSignedIn } from "./queries.ts";

/** Dependencies of authentication. */
export interface SignInParts extends DbParts {
  tokens: AccessTokens;
}

/**
 * Admits sessions only and sets `c.var.user`. Routes that also admit personal access tokens use `requireAccess`.
 * @throws Problem `unauthorized`; `forbidden` for a personal access token
 */
export function requireUser(deps: SignInParts): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const header = c.req.header("authorization");
    if (personalTokenOf(header) !== undefined)
      throw new Problem("forbidden", "A personal access token can't do this: it needs a session.");
    const token = bearerOf(header);
    if (token === undefined) throw new Problem("unauthorized", "No auth token: sign in first.");
    const claims = await deps.tokens.verify(token);
    const user = claims === undefined ? undefined : await findSignedIn(deps.db, claims.sub, claims.sid);
    if (claims === undefined || user === undefined) throw new Problem("unauthorized", "The auth token is no longer valid.");
    c.set("user", user);
    c.set("sessionId", claims.sid);
    c.set("tokenExpiresAt", claims.exp * 1000);
    await next();
  };
}

/** Dependencies of the authentication of superusers. */
export interface AdminParts extends SignInParts {
  /** Whether superusers need a second factor to administer the server (ADMIN_SECOND_FACTOR). */
  adminNeedsSecondFactor: boolean;
}

/**
 * Whether the operator requires a second factor of this account, and it has none. A session that began with a passkey
 * counts as one. Merely having a passkey is not enough, as long as the password alone opens a session, too.
 * @param sessionId default: a session that began with the password
 */
export async function lacksSecondFactor(
  { db, adminNeedsSecondFactor }: Pick<AdminParts, "db" | "adminNeedsSecondFactor">,
  user: User,
  sessionId = "",
): Promise<boolean> {
  if (!adminNeedsSecondFactor || user.is_superuser !== 1 || (await hasSecondFactor(db, user.id))) return false;
  return !(await beganWithPasskey(db, user.id, sessionId));
}

/**
 * Admits superusers only (SPEC.md section 6).
 * @throws Problem `adminRequired` for everybody else, signed in or not; `secondFactorNeeded` for superusers without a
 *   second factor
 */
export function requireSuperuser(deps: AdminParts): MiddlewareHandler<AppEnv> {
  const identify = requireUser(deps);
  return async (c, next) => {
    await identify(c, async () => undefined).catch((error: unknown) => {
      const isRefused = error instanceof Problem && (error.code === "unauthorized" || error.code === "forbidden");
      throw isRefused ? new Problem("adminRequired") : error;
    });
    const { user, sessionId } = c.var;
    await requireRights(deps, user, sessionId);
    askAgain(c, async () => requireRights(deps, await findSignedIn(deps.db, user.id, sessionId), sessionId));
    await next();
  };
}

/** @throws Problem `adminRequired`, `secondFactorNeeded` */
async function requireRights(deps: AdminParts, user: User | undefined, sessionId: string): Promise<void> {
  if (user?.is_superuser !== 1) throw new Problem("adminRequired");
  if (await lacksSecondFactor(deps, user, sessionId)) throw new Problem("secondFactorNeeded");
}

/** The unverified personal access token of an Authorization header; undefined when it has none. */
export function personalTokenOf(header: string | undefined): string | undefined {
  const token = bearerOf(header);
  return token !== undefined && /^parlance_.{1,200}$/.test(token) ? token : undefined;
}
