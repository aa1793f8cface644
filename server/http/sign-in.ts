import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import type { Refreshed } from "../accounts/refresh-tokens.ts";
import type { User } from "../accounts/users.ts";
import type { AppEnv, Deps } from "../deps.ts";

type Parts = Pick<Deps, "config" | "origins" | "tokens" | "refreshTokens">;

export const refreshCookie = "parlance_refresh";

/** Who may see the refresh cookie. */
export function refreshScope({ origins }: Pick<Deps, "origins">) {
  return { httpOnly: true, sameSite: "Lax", path: "/auth", secure: origins.secure } as const;
}

/** Signs somebody in on this device: sets the refresh cookie. @returns the access token */
export async function openSession(c: Context<AppEnv>, deps: Parts, user: User): Promise<string> {
  return handOver(c, deps, user, await deps.refreshTokens.open(user.id, c.req.header("user-agent")));
}

/** Sets the refresh cookie. @returns the access token that goes with it */
export function handOver(c: Context<AppEnv>, deps: Parts, user: User, { refreshToken, sessionId }: Refreshed): Promise<string> {
  setCookie(c, refreshCookie, refreshToken, { ...refreshScope(deps), maxAge: deps.config.refreshDays * 24 * 60 * 60 });
  return deps.tokens.sign({ sub: user.id, sid: sessionId, email: user.email });
}
