import { createHash, randomBytes } from "node:crypto";
import { generateSecret, generateURI, verify } from "otplib";
import { codeDigits, recoveryCodeCount, type SecondFactorSecret } from "#contract/index.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { Sealer } from "#server/session/sealing.ts";
import type { User } from "#server/users/tables.ts";
import {
  enableSecondFactor,
  findSecondFactor,
  offerSecondFactor,
  replaceRecoveryCodes,
  type SecondFactorRow,
  takeRecoveryCode,
  takeStep,
} from "./queries.ts";

export interface SecondFactorParts extends DbParts {
  sealer: Sealer;
}

/** RFC 6238, section 5.2, recommends it: a code is valid for 30 seconds, and a clock may be wrong by one such step. */
const stepSeconds = 30;
const toleratedSeconds = 30;
/** RFC 4226, section 4 (R6), recommends 160 bits. */
const secretBytes = 20;
/** How long a secret can be confirmed after it was shown (ms). */
const offerMs = 15 * 60_000;
/** Authenticator apps show it above the code. */
const issuer = "Parlance";

/**
 * Makes a secret for an account without a second factor. Signing in asks for no code until the first code is confirmed.
 * @throws Problem `conflict` when a second factor is on
 */
export async function offerSecret({ db, now, sealer }: SecondFactorParts, user: User): Promise<SecondFactorSecret> {
  const secret = generateSecret({ length: secretBytes });
  const sealed_secret = await sealer.seal(secret, user.id);
  const isKept = await offerSecondFactor(db, { user_id: user.id, sealed_secret, created_at: now() });
  if (!isKept) throw new Problem("conflict");
  return { secret, uri: generateURI({ issuer, label: user.email, secret }) };
}

/** The offered secret. @throws Problem `gone` when none was offered within the last quarter of an hour */
export async function findOffer({ db, now }: DbParts, userId: string): Promise<SecondFactorRow> {
  const row = await findSecondFactor(db, userId);
  if (row === undefined || row.enabled_at !== null || row.created_at + offerMs <= now()) throw new Problem("gone");
  return row;
}

/**
 * Turns on the offered second factor, as part of a change of credentials. @returns its recovery codes @throws Problem
 * `conflict`
 */
export async function enableOffer(t: Db, row: SecondFactorRow, at: number): Promise<string[]> {
  if (!(await enableSecondFactor(t, row, at))) throw new Problem("conflict");
  return renewRecoveryCodes(t, row.user_id);
}

/** Renews the codes as part of a change of credentials. @returns the new codes; only their hashes are stored */
export async function renewRecoveryCodes(t: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, newRecoveryCode);
  const hashes = codes.map((code) => hashOf(userId, recoveryCodeOf(code)));
  await replaceRecoveryCodes(t, userId, hashes);
  return codes;
}

/** The kind of the accepted code: of the authenticator app, or a recovery code, which is then used up. */
export type UsedCode = "app" | "recovery";

/**
 * Uses a code of an account with a second factor. Each code is accepted once.
 * @param typed with or without spaces and hyphens
 * @returns undefined when the code is wrong, or was used before
 * @throws Problem `codesUnreadable` when the key that encrypted the app's secret is gone; recovery codes are accepted
 *   all the same
 */
export async function acceptCode(parts: SecondFactorParts, userId: string, typed: string): Promise<UsedCode | undefined> {
  const row = await findSecondFactor(parts.db, userId);
  if (row === undefined || row.enabled_at === null) return undefined;
  if (isAppCode(typed)) return (await acceptAppCode(parts, row, typed)) ? "app" : undefined;
  const isTaken = await takeRecoveryCode(parts.db, userId, hashOf(userId, recoveryCodeOf(typed)));
  return isTaken ? "recovery" : undefined;
}

/**
 * Uses a code of the authenticator app. @returns false when the code is wrong, or was used before @throws Problem
 * `codesUnreadable`
 */
export async function acceptAppCode(
  { db, now, sealer }: SecondFactorParts,
  row: SecondFactorRow,
  typed: string,
): Promise<boolean> {
  if (!isAppCode(typed)) return false;
  const token = digitsOf(typed);
  const secret = await sealer.open(row.sealed_secret, row.user_id);
  if (secret === undefined) {
    const cause = new Error("The secret of a second factor can't be decrypted: it was encrypted with another key.");
    throw new Problem("codesUnreadable", undefined, { cause });
  }
  const epoch = Math.floor(now() / 1000);
  const result = await verify({ secret, token, epoch, period: stepSeconds, epochTolerance: toleratedSeconds });
  return result.valid && "timeStep" in result && takeStep(db, row, result.timeStep);
}

const digitsOf = (typed: string): string => typed.replace(/[\s-]/g, "");
/**
 * Whether the text looks like an authenticator app's code, not like a recovery code. @param typed with or without
 * spaces and hyphens
 */
export const isAppCode = (typed: string): boolean => /^\d+$/.test(digitsOf(typed)) && digitsOf(typed).length === codeDigits;

/** Crockford's Base32 has no letter that looks like a digit. 16 letters are 80 random bits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";
const recoveryCodeLength = 16;

/** @returns a code such as "abcd-efgh-jkmn-pqrs" */
function newRecoveryCode(): string {
  const letters = Array.from(randomBytes(recoveryCodeLength), (byte) => alphabet[byte % alphabet.length]);
  return letters.join("").replace(/(.{4})(?=.)/g, "$1-");
}

/** The code in the form that is hashed, with letters that were mistaken for digits corrected. */
function recoveryCodeOf(typed: string): string {
  return digitsOf(typed.toLowerCase()).replace(/o/g, "0").replace(/[il]/g, "1");
}

/** A fast hash is enough: with so many random bits, nobody finds a code by trying. */
function hashOf(userId: string, code: string): string {
  return createHash("sha256").update(`parlance recovery code\0${userId}\0${code}`).digest("hex");
}
