import type { Context } from "hono";
import type { DbParts } from "#server/db/open.ts";
import { type AuthCookie, authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import { deviceDays, type KnownDevice, type KnownFor, recognizeDevice, welcomeDevice } from "./devices.ts";

interface Parts extends DbParts {
  origins: Origins;
}

const deviceSeconds = deviceDays * 24 * 60 * 60;

/** The cookie is kept when the user signs out, because it is for the next sign-in. */
function deviceCookie(deps: Parts): AuthCookie {
  return authCookie(deps, "parlance_device", deps.origins.secureApi ? "/" : "/auth");
}

/** @returns the request's device, if this account knows it for `knownFor` */
export function knownDevice(
  c: Context<AppEnv>,
  deps: Parts,
  userId: string,
  knownFor: KnownFor,
): Promise<KnownDevice | undefined> {
  return recognizeDevice(deps.db, { userId, knownFor }, deviceCookie(deps).read(c), deps.now());
}

/** @param isCodeRight whether this request had a right code */
export async function rememberDevice(c: Context<AppEnv>, deps: Parts, userId: string, isCodeRight = false): Promise<void> {
  const cookie = deviceCookie(deps);
  const sent = cookie.read(c);
  let carried = await welcomeDevice(deps.db, { userId, knownFor: "passwords" }, sent, deps.now());
  if (isCodeRight) carried = await welcomeDevice(deps.db, { userId, knownFor: "codes" }, carried, deps.now());
  if (carried !== undefined && carried !== sent) cookie.write(c, carried, deviceSeconds);
}
