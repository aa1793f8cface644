import { type Context, Hono } from "hono";
import type { InferOutput } from "valibot";
import {
  CodeProof,
  type RecoveryCodesAnswer,
  type SecondFactor,
  SecondFactorChange,
  SecondFactorStart,
} from "#contract/index.ts";
import { changeOwnCredential } from "#server/account/credentials.ts";
import { sendEmail } from "#server/account/emails.ts";
import { confirmOwner, type OwnerParts } from "#server/account/owner.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { readJson } from "#server/http/body.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import type { AppEnv } from "#server/http/env.ts";
import { requireUser } from "#server/session/require-user.ts";
import type { Sealer } from "#server/session/sealing.ts";
import { countedCode } from "./counted-code.ts";
import { countRecoveryCodes, deleteSecondFactor, findSecondFactor } from "./queries.ts";
import { acceptAppCode, acceptCode, enableOffer, findOffer, offerSecret, renewRecoveryCodes } from "./second-factor.ts";

interface Parts extends OwnerParts {
  config: { trustProxy: TrustedProxies };
  sealer: Sealer;
}

const path = "/users/me/second-factor";
type Codes = InferOutput<typeof RecoveryCodesAnswer>;

/**
 * The API of the user's own second factor: set up, confirm, renew recovery codes, turn off (contract/second-factor.ts).
 */
export function secondFactorRoutes(deps: Parts): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const signedIn = requireUser(deps);

  app.get(path, signedIn, async (c) => c.json(await secondFactorOf(c, deps)));

  app.post(path, signedIn, async (c) => {
    const { password } = await readJson(c, SecondFactorStart);
    await confirmOwner(deps, c.var, password);
    return c.json(await offerSecret(deps, c.var.user), 201);
  });

  app.post(`${path}/confirmation`, signedIn, async (c) => {
    const { code } = await readJson(c, CodeProof);
    const userId = c.var.user.id;
    const offer = await findOffer(deps, userId);
    await countedCode(c, deps, { userId, code }, async () => ((await acceptAppCode(deps, offer, code)) ? offer : undefined));
    const recoveryCodes = await change(c, deps, (t) => enableOffer(t, offer, deps.now()));
    return c.json({ recoveryCodes } satisfies Codes);
  });

  app.post(`${path}/recovery-codes`, signedIn, async (c) => {
    await confirmBoth(c, deps);
    const recoveryCodes = await change(c, deps, (t) => renewRecoveryCodes(t, c.var.user.id));
    return c.json({ recoveryCodes } satisfies Codes);
  });

  app.delete(path, signedIn, async (c) => {
    await confirmBoth(c, deps);
    await change(c, deps, (t) => deleteSecondFactor(t, c.var.user.id));
    return c.body(null, 204);
  });

  return app;
}

/** Changes the second factor, and notifies the user by mail. */
async function change<Changed>(c: Context<AppEnv>, deps: Parts, make: (t: Db) => Promise<Changed>): Promise<Changed> {
  const changed = await changeOwnCredential(deps, c.var, make);
  await sendEmail(deps, c.var.user.id, "secondFactor", { path: "/settings/security" });
  return changed;
}

async function secondFactorOf(c: Context<AppEnv>, { db, adminNeedsSecondFactor }: Parts): Promise<SecondFactor> {
  const { user } = c.var;
  const row = await findSecondFactor(db, user.id);
  const at = row?.enabled_at ?? null;
  return {
    enabledAt: at === null ? null : new Date(at).toISOString(),
    recoveryCodesLeft: at === null ? 0 : await countRecoveryCodes(db, user.id),
    required: adminNeedsSecondFactor && user.is_superuser === 1,
  };
}

/**
 * Checks password and code, as `confirmOwner` checks the password alone. @throws Problem those of `confirmOwner`,
 * `wrongCode`, `gone` when the second factor is off
 */
async function confirmBoth(c: Context<AppEnv>, deps: Parts): Promise<void> {
  const { password, code } = await readJson(c, SecondFactorChange);
  const userId = c.var.user.id;
  await confirmOwner(deps, c.var, password);
  if ((await findSecondFactor(deps.db, userId))?.enabled_at == null) throw new Problem("gone");
  await countedCode(c, deps, { userId, code }, () => acceptCode(deps, userId, code));
}
