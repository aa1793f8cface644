import type { Context } from "hono";
import type { DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { TrustedProxies } from "#server/http/client-address.ts";
import { addressOf } from "#server/http/client-network.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import { knownDevice } from "#server/session/device-cookie.ts";
import { codeLimit, codePace, knownCodePace, recoveryCodeLimit, type Throttle } from "#server/session/throttle.ts";
import { isAppCode } from "./second-factor.ts";

interface Parts extends DbParts {
  config: { trustProxy: TrustedProxies };
  origins: Origins;
  throttle: Throttle;
}

/**
 * Counts a code before it is checked. The six digits of an app can be guessed, so they use up an allowance of the
 * account; a right code gives back only what it used itself. A recovery code can't be guessed, so other people's
 * attempts never block it.
 * @param check returns undefined for a wrong code
 * @throws Problem `tooManyRequests`, `wrongCode`, and what `check` throws
 */
export async function countedCode<Checked>(
  c: Context<AppEnv>,
  deps: Parts,
  { userId, code }: { userId: string; code: string },
  check: () => Promise<Checked | undefined>,
): Promise<Checked> {
  const { throttle } = deps;
  const device = await knownDevice(c, deps, userId, "codes");
  const isApp = isAppCode(code);
  const limit = isApp ? codeLimit : recoveryCodeLimit;
  const pace = device === undefined ? codePace : knownCodePace;
  const from = `${userId}\0${device?.id ?? addressOf(c, deps.config.trustProxy)}`;
  await throttle.count(limit, from);
  if (isApp) await throttle.spend(pace, userId);
  const checked = await check();
  if (checked === undefined) throw new Problem("wrongCode");
  if (isApp) await throttle.giveBack(pace, userId);
  await throttle.reset(limit, from);
  return checked;
}
