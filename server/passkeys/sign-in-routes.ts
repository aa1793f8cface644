import { Hono } from "hono";
import type { InferOutput } from "valibot";
import { type LoginAnswer, type PasskeyRequest, PasskeySignIn } from "#contract/index.ts";
import { profileOf } from "#server/account/profile.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import type { Log } from "#server/log/log.ts";
import { openSession } from "#server/session/cookies.ts";
import type { RefreshTokens } from "#server/session/refresh-tokens.ts";
import type { AdminParts } from "#server/session/require-user.ts";
import { passkeyLimit, type Throttle } from "#server/session/throttle.ts";
import type { Threads } from "#server/threads/threads.ts";
import { checkUsed, redeemSignInChallenge, requestPasskey } from "./passkeys.ts";
import { findPasskey, notePasskeyUse } from "./queries.ts";

interface Parts extends AdminParts {
  config: { trustProxy: TrustedProxies; mail: { confirmation: boolean } };
  log: Log;
  origins: Origins;
  refreshTokens: RefreshTokens;
  throttle: Throttle;
  threads: Threads;
}

const path = "/auth/passkey";

/**
 * Sign-in with only a passkey, which identifies the account. Its device has checked finger, face or PIN, so it counts
 * as both factors, and no code is requested.
 */
export function passkeySignInRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const { db, now, log, throttle } = deps;

  app.post(`${path}/challenge`, async (c) => {
    await throttle.count(passkeyLimit, addressOf(c, deps.config.trustProxy));
    return c.json((await requestPasskey(deps)) satisfies PasskeyRequest, 201);
  });

  app.post(path, async (c) => {
    const { used } = await readJson(c, PasskeySignIn);
    const person = addressOf(c, deps.config.trustProxy);
    await throttle.count(passkeyLimit, person);
    const challenge = await redeemSignInChallenge(deps, used);
    const found = await findPasskey(db, used.id);
    if (found === undefined) throw new Problem("passkeyUnknown");
    const { passkey, user } = found;
    c.set("triedAccount", user.id);
    const { counter, synced } = await checkUsed(deps, used, { passkey, user, challenge, person });
    if (!(await notePasskeyUse(db, passkey.id, { counter, synced, at: now() }))) {
      log.warn("the counter of a passkey went backwards", { account: user.id, id: passkey.id });
      throw new Problem("passkeyCopied");
    }
    if (deps.config.mail.confirmation && user.email_verified === 0) throw new Problem("emailUnconfirmed");
    const accessToken = await openSession(c, deps, user, { method: "passkey", isCodeRight: true, passkeyId: passkey.id });
    const profile = { ...(await profileOf(deps, user)), lacksSecondFactor: false };
    return c.json({ accessToken, user: profile } satisfies InferOutput<typeof LoginAnswer>);
  });
  return app;
}
