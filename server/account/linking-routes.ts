import { Hono } from "hono";
import type { InferOutput } from "valibot";
import { type LoginAnswer, PasswordProof, type PendingLinkAnswer, type SignInMethodsAnswer, Unlinking } from "#contract/index.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import { confirmedUntil } from "#server/session/confirmation.ts";
import { openSession, waitForCode } from "#server/session/cookies.ts";
import { hasSecondFactor } from "#server/session/credential-queries.ts";
import { knownDevice } from "#server/session/device-cookie.ts";
import { deleteIdentitiesOf, listIdentities } from "#server/session/identity-queries.ts";
import { countAttempt, findPendingLink, linkCookie, redeemPendingLink } from "#server/session/pending-links.ts";
import type { Providers } from "#server/session/provider.ts";
import type { RefreshTokens } from "#server/session/refresh-tokens.ts";
import { requireUser } from "#server/session/require-user.ts";
import { countSignIn } from "#server/session/sign-in-limits.ts";
import { changeCredential, changeOwnCredential } from "./credentials.ts";
import { sendEmail } from "./emails.ts";
import { confirmOwner, type OwnerParts } from "./owner.ts";
import { profileOf } from "./profile.ts";

interface Parts extends OwnerParts {
  config: { trustProxy: TrustedProxies };
  refreshTokens: RefreshTokens;
  providers: Providers;
}

/** Lists and changes the provider accounts linked to an account. */
export function linkingRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db, now } = deps;
  const signedIn = requireUser(deps);

  app.get("/auth/link", async (c) => {
    const pending = await findPendingLink(db, linkCookie(deps).read(c) ?? "", now());
    if (pending === undefined) throw new Problem("gone");
    const provider = [...deps.providers.values()].find(({ issuer }) => issuer === pending.identity.issuer)?.name;
    const { user, email: theirEmail } = pending;
    const answer = { email: user.email, theirEmail, ...(provider !== undefined && { provider }) };
    return c.json(answer satisfies InferOutput<typeof PendingLinkAnswer>);
  });

  app.post("/auth/link", async (c) => {
    const { password } = await readJson(c, PasswordProof);
    const secret = linkCookie(deps).read(c) ?? "";
    const pending = await findPendingLink(db, secret, now());
    if (pending === undefined) throw new Problem("gone");
    const { user } = pending;
    // Counted together with sign-ins, so that it is not another way to guess passwords.
    const address = addressOf(c, deps.config.trustProxy);
    const device = await knownDevice(c, deps, user.id, "passwords");
    const succeed = await countSignIn(deps.throttle, { email: user.email, address, device });
    await countAttempt(db, secret);
    if (!(await deps.passwords.verify(password, user.password_hash, { person: address, isUrgent: device !== undefined })))
      throw new Problem("wrongPassword");
    if (await hasSecondFactor(db, user.id)) {
      await succeed();
      await waitForCode(c, deps, user, { method: "password", links: true });
      throw new Problem("secondFactorRequired");
    }
    await changeCredential(deps, (t) => redeemPendingLink(t, secret, now()));
    linkCookie(deps).clear(c);
    await succeed();
    await sendEmail(deps, user.id, "providers", { path: "/settings/security" });
    const answer: InferOutput<typeof LoginAnswer> = {
      accessToken: await openSession(c, deps, user),
      user: await profileOf(deps, user),
    };
    return c.json(answer);
  });

  app.get("/users/me/sign-in-methods", signedIn, async (c) => {
    const linked = await listIdentities(db, c.var.user.id);
    const providers = [...deps.providers.values()].map(({ id, name, issuer }) => ({ id, name, issuer }));
    const until = await confirmedUntil(deps, c.var.sessionId);
    const answer: InferOutput<typeof SignInMethodsAnswer> = {
      provider: providers[0]?.name ?? null,
      providers,
      linked: linked.map(({ issuer, created_at }) => ({ issuer, linkedAt: new Date(created_at).toISOString() })),
      confirmedUntil: until === null ? null : new Date(until).toISOString(),
    };
    return c.json(answer);
  });

  app.delete("/users/me/identities", signedIn, async (c) => {
    const { password, issuer } = await readJson(c, Unlinking);
    const { user } = c.var;
    // Otherwise the account could not be signed in to any more.
    if (user.password_hash === "") throw new Problem("forbidden", "Choose a password first.");
    await confirmOwner(deps, c.var, password);
    await changeOwnCredential(deps, c.var, (t) => deleteIdentitiesOf(t, user.id, issuer));
    await sendEmail(deps, user.id, "providers", { path: "/settings/security" });
    return c.body(null, 204);
  });
  return app;
}
