import type { Context } from "hono";
import { deleteCookie, getCookie } from "hono/cookie";
import type { SignInMethod } from "#contract/index.ts";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { type AuthCookie, authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { User } from "#server/users/tables.ts";
import type { AccessTokens } from "./access-tokens.ts";
import { rememberDevice } from "./device-cookie.ts";
import { keepPendingSignIn, pendingSignInCookie, pendingSignInSeconds } from "./pending-sign-ins.ts";
import { isHostBound, type Refreshed, type RefreshTokens } from "./refresh-tokens.ts";

interface Parts extends DbParts {
  origins: Origins;
  tokens: AccessTokens;
  refreshTokens: RefreshTokens;
}
interface Named {
  origins: Origins;
}

const name = "parlance_refresh";
/** The narrowest path for a cookie whose name does not require "/". */
const path = "/auth";

function refreshCookie(deps: Named): AuthCookie {
  return authCookie(deps, name, deps.origins.secureApi ? "/" : path);
}

/**
 * The refresh token of a request. Under https, a cookie without the name prefix is accepted only for tokens from before
 * the prefix was introduced: otherwise, another host of the same site could still plant another user's token.
 */
export function readRefreshToken(c: Context<AppEnv>, deps: Named): string | undefined {
  const token = refreshCookie(deps).read(c);
  if (token !== undefined || !deps.origins.secureApi) return token;
  const former = getCookie(c, name);
  return former === undefined || isHostBound(former) ? undefined : former;
}

/** Clears the refresh cookie, also under its former name. */
export function clearRefreshCookie(c: Context<AppEnv>, deps: Named): void {
  refreshCookie(deps).clear(c);
  clearFormerCookie(c, deps);
}

function clearFormerCookie(c: Context<AppEnv>, { origins }: Named): void {
  if (origins.secureApi && getCookie(c, name) !== undefined) deleteCookie(c, name, { path, secure: true });
}

interface Proven {
  /** Default: the password. */
  method?: SignInMethod;
  /** A code of the second factor was right, too. Default: none was asked for. */
  isCodeRight?: boolean;
  /** The passkey used for this sign-in. Default: none. */
  passkeyId?: string;
  /** The sign-in also links the provider's account that is pending in this browser (pending-links.ts). */
  links?: boolean;
}

/**
 * Starts a session on this device for a user whose password, provider or passkey was right, and sets the refresh
 * cookie.
 * @returns the access token
 * @throws Problem `secondFactorRequired` after setting the cookie with which the code completes this sign-in
 *   (pending-sign-ins.ts)
 */
export async function openSession(
  c: Context<AppEnv>,
  deps: Parts,
  user: User,
  { method = "password", isCodeRight = false, passkeyId, links = false }: Proven = {},
): Promise<string> {
  const signIn = { method, isCodeRight, passkeyId, device: c.req.header("user-agent") };
  const opened = await deps.refreshTokens.open(user, signIn).catch(async (error: unknown) => {
    if (error instanceof Problem && error.code === "secondFactorRequired") await waitForCode(c, deps, user, { method, links });
    throw error;
  });
  // A passkey replaces both steps, but it does not make the device known for codes.
  return handOver(c, deps, user, opened, isCodeRight && passkeyId === undefined);
}

/** Sets the cookie with which a code completes this sign-in. @throws Problem `badCredentials` */
export async function waitForCode(
  c: Context<AppEnv>,
  deps: Pick<Parts, "db" | "now" | "origins">,
  user: User,
  { method, links }: { method: SignInMethod; links: boolean },
): Promise<void> {
  const secret = await keepPendingSignIn(deps.db, user, { method, links, now: deps.now() });
  pendingSignInCookie(deps).write(c, secret, pendingSignInSeconds);
}

/**
 * Sets the refresh cookie and makes the device known; a right code makes it known for codes, too. @returns the access
 * token
 */
export async function handOver(
  c: Context<AppEnv>,
  deps: Parts,
  user: User,
  { refreshToken, sessionId, seconds }: Refreshed,
  isCodeRight = false,
): Promise<string> {
  refreshCookie(deps).write(c, refreshToken, seconds);
  await rememberDevice(c, deps, user.id, isCodeRight);
  clearFormerCookie(c, deps);
  return deps.tokens.sign({ sub: user.id, sid: sessionId, email: user.email });
}
