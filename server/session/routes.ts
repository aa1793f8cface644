import { Hono } from "hono";
import { Problem } from "#server/errors/problem.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import { clearRefreshCookie, handOver, readRefreshToken } from "./cookies.ts";
import { findSignedIn } from "./queries.ts";
import type { RefreshTokens } from "./refresh-tokens.ts";
import { requireUser, type SignInParts } from "./require-user.ts";
import { refreshAddressLimit, refreshLimit, type Throttle } from "./throttle.ts";

interface Parts extends SignInParts {
  config: { trustProxy: TrustedProxies };
  origins: Origins;
  refreshTokens: RefreshTokens;
  throttle: Throttle;
}

/** Renewing and ending a session (SPEC.md section 7, "Auth"). */
export function sessionRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.post("/auth/refresh", async (c) => {
    const token = readRefreshToken(c, deps);
    if (token === undefined) {
      throw new Problem("unauthorized", "There is no auth token: the request has no refresh cookie.");
    }
    // Count before the exchange: if a token is exchanged but its successor does not reach the browser, the session
    // ends.
    await deps.throttle.count(refreshAddressLimit, addressOf(c, deps.config.trustProxy));
    const owner = await deps.refreshTokens.ownerOf(token);
    if (owner !== undefined) await deps.throttle.count(refreshLimit, owner.sessionId);
    // A refused cookie is not cleared: another tab may have signed in and set a good one in the meantime.
    const refreshed = await deps.refreshTokens.rotate(token);
    const user = await findSignedIn(deps.db, refreshed.userId, refreshed.sessionId);
    if (user === undefined) throw new Problem("unauthorized", "Your session has ended. Sign in again.");
    return c.json({ accessToken: await handOver(c, deps, user, refreshed) });
  });

  app.post("/auth/logout", async (c) => {
    const token = readRefreshToken(c, deps);
    if (token !== undefined) await deps.refreshTokens.close(token);
    clearRefreshCookie(c, deps);
    return c.body(null, 204);
  });

  app.get("/auth/ping", requireUser(deps), (c) => c.json({ message: "ok" }));
  return app;
}
