import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Db } from "#server/db/open.ts";
import { findCodeDeviceKey } from "./credential-queries.ts";
import { findDeviceKey, insertDeviceKey } from "./queries.ts";
import { newSecret } from "./secrets.ts";

const dayMs = 24 * 60 * 60_000;
/** A known device expires this long after its last sign-in (days). Browsers keep a cookie no longer. */
export const deviceDays = 400;
/** A pass older than this is renewed (days). */
const renewDays = 30;
/** Most passes of one device, two per account: enough for a family's computer. */
const maxPasses = 10;

export interface KnownDevice {
  id: string;
  userId: string;
}

/** What a device is known for: passwords after any sign-in, codes of the second factor after one with a right code. */
export type KnownFor = "passwords" | "codes";

interface Account {
  userId: string;
  knownFor: KnownFor;
}

/** A device's pass for one account: a random id and its day (since 1970), signed with a key of the account. */
interface Pass {
  id: string;
  day: number;
  signature: string;
}

/**
 * Device cookies (OWASP: "Slow Down Online Guessing Attacks with Device Cookies"). A device on which a user has signed
 * in carries a signed pass for the account, so that guesses from elsewhere don't count against it. A pass authenticates
 * nobody, and reveals its account only to the holder of the account's key.
 * @param carried the cookie that the device sent
 * @param now epoch ms
 * @returns undefined for a device not known to this account
 */
export async function recognizeDevice(
  db: Db,
  account: Account,
  carried: string | undefined,
  now: number,
): Promise<KnownDevice | undefined> {
  const passes = parsePasses(carried);
  const key = passes.length === 0 ? undefined : await findKey(db, account);
  const own = key === undefined ? undefined : passes.find((pass) => isGood(pass, key, now));
  return own && { id: own.id, userId: account.userId };
}

/** Makes a device known. @returns the cookie value; the present one while it is still valid */
export async function welcomeDevice(
  db: Db,
  account: Account,
  carried: string | undefined,
  now: number,
): Promise<string | undefined> {
  const isForCodes = account.knownFor === "codes";
  const key = (await findKey(db, account)) ?? (isForCodes ? undefined : await makeKey(db, account.userId));
  if (key === undefined) return carried;
  const passes = parsePasses(carried);
  const own = passes.find((pass) => isGood(pass, key, now));
  const day = Math.floor(now / dayMs);
  if (own !== undefined && day - own.day < renewDays) return carried;
  const id = own?.id ?? randomBytes(12).toString("base64url");
  const others = passes.filter((pass) => pass !== own).slice(0, maxPasses - 1);
  return [{ id, day, signature: sign(key, id, day) }, ...others].map(write).join("~");
}

/**
 * A new password makes the devices that knew the old one unknown. Devices known for codes stay known until the second
 * factor changes. Otherwise, someone who reads the user's mail could reset the password again and again to make the
 * owner's device unknown.
 */
function findKey(db: Db, { userId, knownFor }: Account): Promise<string | undefined> {
  return knownFor === "codes" ? findCodeDeviceKey(db, userId) : findDeviceKey(db, userId);
}

/** @returns undefined when the account is gone */
async function makeKey(db: Db, userId: string): Promise<string | undefined> {
  await insertDeviceKey(db, userId, newSecret());
  return findDeviceKey(db, userId);
}

const write = ({ id, day, signature }: Pass) => `${id}.${day.toString(36)}.${signature}`;

function parsePasses(carried = ""): Pass[] {
  return carried.split("~", maxPasses).flatMap((text) => {
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
