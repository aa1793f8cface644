import { type Context, Hono } from "hono";
import type { InferOutput } from "valibot";
import { CodeProof, type LoginAnswer, type PendingSignIn } from "#contract/index.ts";
import { changeCredential } from "#server/account/credentials.ts";
import { sendEmail } from "#server/account/emails.ts";
import { profileOf } from "#server/account/profile.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Outbox } from "#server/mail/outbox.ts";
import { openSession } from "#server/session/cookies.ts";
import type { OpenConnections } from "#server/session/open-connections.ts";
import { linkCookie, redeemPendingLink } from "#server/session/pending-links.ts";
import { countCode, endPendingSignIn, pendingSignInCookie, pendingSignInOf } from "#server/session/pending-sign-ins.ts";
import type { RefreshTokens } from "#server/session/refresh-tokens.ts";
import type { AdminParts } from "#server/session/require-user.ts";
import type { Sealer } from "#server/session/sealing.ts";
import type { Throttle } from "#server/session/throttle.ts";
import { countedCode } from "./counted-code.ts";
import { acceptCode } from "./second-factor.ts";

interface Parts extends AdminParts {
  config: { trustProxy: TrustedProxies };
  origins: Origins;
  refreshTokens: RefreshTokens;
  connections: OpenConnections;
  throttle: Throttle;
  outbox: Outbox;
  sealer: Sealer;
}

const path = "/auth/second-factor";

/**
 * The second step of signing in. This browser's cookie says that the password or the provider was right within the last
 * five minutes. Before the code there is neither a token nor a refresh cookie.
 */
export function secondStepRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db, now } = deps;

  app.get(path, async (c) => {
    const pending = await pendingSignInOf(db, pendingSignInCookie(deps).read(c) ?? "", now());
    if (pending === undefined) throw new Problem("gone");
    return c.json({ email: pending.user.email } satisfies PendingSignIn);
  });

  app.post(path, async (c) => {
    const { code } = await readJson(c, CodeProof);
    const secret = pendingSignInCookie(deps).read(c) ?? "";
    const pending = await pendingSignInOf(db, secret, now());
    if (pending === undefined) throw new Problem("gone");
    const { user, method, links } = pending;
    c.set("triedAccount", user.id);
    const used = await countedCode(c, deps, { userId: user.id, code }, async () => {
      await countCode(db, secret);
      return acceptCode(deps, user.id, code);
    });
    await endPendingSignIn(db, secret);
    pendingSignInCookie(deps).clear(c);
    if (links) await linkProvider(c, deps, user.id);
    if (used === "recovery") await sendEmail(deps, user.id, "recoveryCodeUsed", { path: "/settings/security" });
    const accessToken = await openSession(c, deps, user, { method, isCodeRight: true });
    return c.json({ accessToken, user: await profileOf(deps, user) } satisfies InferOutput<typeof LoginAnswer>);
  });
  return app;
}

/**
 * Links the provider's account whose password was confirmed before the code was asked for. @throws Problem `gone`,
 * `providerTaken`
 */
async function linkProvider(c: Context<AppEnv>, deps: Parts, userId: string): Promise<void> {
  const cookie = linkCookie(deps);
  const secret = cookie.read(c) ?? "";
  await changeCredential(deps, async (t) => {
    const redeemed = await redeemPendingLink(t, secret, deps.now());
    // The pending link belongs to another account that this browser was to link later.
    if (redeemed.userId !== userId) throw new Problem("gone");
    return redeemed;
  });
  cookie.clear(c);
  await sendEmail(deps, userId, "providers", { path: "/settings/security" });
}
