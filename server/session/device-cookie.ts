import type { Context } from "hono";
import type { Db } from "#server/db/open.ts";
import { type AuthCookie, authCookie } from "#server/http/cookies.ts";
import type { AppEnv } from "#server/http/env.ts";
import type { Origins } from "#server/http/origins.ts";
import { deviceDays, type KnownDevice, recogniseDevice, welcomeDevice } from "./devices.ts";

interface Parts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  origins: Origins;
}

const deviceSeconds = deviceDays * 24 * 60 * 60;

/** It stays when somebody signs out: the next sign-in is what it is for. */
function deviceCookie(deps: Parts): AuthCookie {
  return authCookie(deps, "parlance_device", deps.origins.secureApi ? "/" : "/auth");
}

/** @returns the device that a request comes from, if somebody has signed in to this account on it before */
export function knownDevice(c: Context<AppEnv>, deps: Parts, userId: string): Promise<KnownDevice | undefined> {
  return recogniseDevice(deps.db, userId, deviceCookie(deps).read(c), deps.now());
}

/** From now on the device that is answered is known to this account. */
export async function rememberDevice(c: Context<AppEnv>, deps: Parts, userId: string): Promise<void> {
  const cookie = deviceCookie(deps);
  const carried = await welcomeDevice(deps.db, userId, cookie.read(c), deps.now());
  if (carried !== undefined) cookie.write(c, carried, deviceSeconds);
}
