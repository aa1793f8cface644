import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Db } from "#server/db/open.ts";
import { findDeviceKey, insertDeviceKey } from "./queries.ts";
import { newSecret } from "./secrets.ts";

const dayMs = 24 * 60 * 60_000;
/** A known device expires this long after its last sign-in (days), the longest that browsers keep a cookie. */
export const deviceDays = 400;
/** A pass older than this is renewed (days). */
const renewDays = 30;
/** Accounts that one device can be known to: a family's computer. */
const maxAccounts = 5;

export interface KnownDevice {
  id: string;
  userId: string;
}

/** A device's pass for one account: a random id and its day (since 1970), signed with the account's key. */
interface Pass {
  id: string;
  day: number;
  signature: string;
}

/**
 * Device cookies (OWASP: "Slow Down Online Guessing Attacks with Device Cookies"): a device on which somebody has signed in
 * carries a signed pass for the account, so that guesses from elsewhere don't count against it. A pass authenticates nobody, and
 * reveals its account only to the holder of the account's key.
 * @param carried the cookie that the device sent
 * @param now epoch ms
 * @returns undefined for a device not known to this account
 */
export async function recognizeDevice(
  db: Db,
  userId: string,
  carried: string | undefined,
  now: number,
): Promise<KnownDevice | undefined> {
  const passes = parsePasses(carried);
  const key = passes.length === 0 ? undefined : await findDeviceKey(db, userId);
  const own = key === undefined ? undefined : passes.find((pass) => isGood(pass, key, now));
  return own && { id: own.id, userId };
}

/** Makes a device known. @returns the new cookie value; undefined when the present one is still good */
export async function welcomeDevice(
  db: Db,
  userId: string,
  carried: string | undefined,
  now: number,
): Promise<string | undefined> {
  const key = (await findDeviceKey(db, userId)) ?? (await makeKey(db, userId));
  if (key === undefined) return undefined;
  const passes = parsePasses(carried);
  const own = passes.find((pass) => isGood(pass, key, now));
  const day = Math.floor(now / dayMs);
  if (own !== undefined && day - own.day < renewDays) return undefined;
  const id = own?.id ?? randomBytes(12).toString("base64url");
  const others = passes.filter((pass) => pass !== own).slice(0, maxAccounts - 1);
  return [{ id, day, signature: sign(key, id, day) }, ...others].map(write).join("~");
}

/** @returns undefined when the account is gone */
async function makeKey(db: Db, userId: string): Promise<string | undefined> {
  await insertDeviceKey(db, userId, newSecret());
  return findDeviceKey(db, userId);
}

const write = ({ id, day, signature }: Pass) => `${id}.${day.toString(36)}.${signature}`;

function parsePasses(carried = ""): Pass[] {
  return carried.split("~", maxAccounts).flatMap((text) => {
    const [, id, day, signature] = /^([\w-]{16})\.([\da-z]{1,6})\.([\w-]{43})$/.exec(text) ?? [];
    return id === undefined || day === undefined || signature === undefined
      ? []
      : [{ id, day: Number.parseInt(day, 36), signature }];
  });
}

function isGood({ id, day, signature }: Pass, key: string, now: number): boolean {
  const expected = Buffer.from(sign(key, id, day));
  return timingSafeEqual(expected, Buffer.from(signature)) && now < (day + deviceDays) * dayMs;
}

function sign(key: string, id: string, day: number): string {
  return createHmac("sha256", key).update(`parlance device\0${id}\0${day}`).digest("base64url");
}
