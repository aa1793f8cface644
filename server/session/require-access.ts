import type { Context, MiddlewareHandler } from "hono";
import type { TokenScope } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "#server/http/env.ts";
import { describes, type Operation } from "#server/http/operations.ts";
import type { User } from "#server/users/tables.ts";
import { personalTokenOf, requireUser, type SignInParts } from "./require-user.ts";
import { personalTokenLimit, type Throttle } from "./throttle.ts";

/** Dependencies of authentication by session or personal access token. */
export interface AccessParts extends SignInParts {
  throttle: Throttle;
  personalTokens: PersonalTokens;
}

/** A valid personal access token. `expiresAt` in epoch ms. */
export interface VerifiedToken {
  id: string;
  user: User;
  scopes: TokenScope[];
  expiresAt: number;
}

/** Checks personal access tokens; `server/personal-tokens/` makes and keeps them. */
export interface PersonalTokens {
  /** @returns undefined when the token is unknown, revoked or expired, or its owner is blocked */
  verify(token: string): Promise<VerifiedToken | undefined>;
}

/**
 * Guards operations for programs. Each guard describes its operation (http/operations.ts), so that every route that
 * admits tokens is documented.
 */
export function accessFor(deps: AccessParts) {
  return (operation: Operation & { scope: TokenScope }) => describes(operation, requireAccess(deps, operation.scope));
}

/**
 * Admits signed-in users, and their personal access tokens with this scope. Routes for sessions alone use
 * `requireUser`.
 * @throws Problem `unauthorized`, `forbidden`, `tooManyRequests`
 */
function requireAccess(deps: AccessParts, scope: TokenScope): MiddlewareHandler<AppEnv> {
  const requireSession = requireUser(deps);
  return async (c, next) => {
    if ((await admitPersonalToken(c, deps, scope)) === undefined) return requireSession(c, next);
    return next();
  };
}

/**
 * The owner of the request's personal access token; undefined when the request has none.
 * @throws Problem `unauthorized` for a token that is unknown, revoked or expired, `forbidden` without the scope,
 *   `tooManyRequests`
 */
export async function admitPersonalToken(c: Context<AppEnv>, deps: AccessParts, scope: TokenScope): Promise<User | undefined> {
  const presented = personalTokenOf(c.req.header("authorization"));
  if (presented === undefined) return undefined;
  const found = await deps.personalTokens.verify(presented);
  if (found === undefined) {
    c.header("WWW-Authenticate", 'Bearer error="invalid_token"');
    throw new Problem("unauthorized", "The personal access token is unknown, revoked or expired.");
  }
  await deps.throttle.count(personalTokenLimit, found.id);
  if (!found.scopes.includes(scope)) {
    c.header("WWW-Authenticate", `Bearer error="insufficient_scope", scope="${scope}"`);
    throw new Problem("forbidden", `This personal access token lacks the scope ${scope}.`);
  }
  c.set("user", found.user);
  c.set("sessionId", found.id);
  c.set("tokenExpiresAt", found.expiresAt);
  return found.user;
}
