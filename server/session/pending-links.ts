import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { authCookie } from "#server/http/cookies.ts";
import type { Origins } from "#server/http/origins.ts";
import {
  countPendingLinkAttempt,
  deleteExpiredPendingLinks,
  deletePendingLink,
  findPendingLinkByHash,
  insertIdentityIfFree,
  insertPendingLink,
  type PendingLink,
  takePendingLink,
} from "./identity-queries.ts";
import type { Identity } from "./provider.ts";
import { hashOf, newSecret } from "./secrets.ts";

/** Binds a provider's account that is waiting to be linked to the browser that has signed in to it. */
export const linkCookie = (deps: { origins: Origins }) => authCookie(deps, "parlance_link");

/** Time limit for typing the password, in seconds. */
export const pendingLinkSeconds = 10 * 60;
/** Password attempts per link, independent of the throttle for the account. */
const maxAttempts = 5;

/**
 * Stores a provider's account until the password of our account is entered. Replaces an earlier link between the two
 * accounts.
 * @param now epoch ms
 * @returns the secret for the browser's cookie; the database has only its SHA-256
 */
export async function keepPendingLink(db: Db, userId: string, identity: Identity, now: number): Promise<string> {
  const secret = newSecret();
  const { issuer, subject, email = "" } = identity;
  await db.transaction().execute(async (t) => {
    await deletePendingLink(t, userId, identity);
    await deleteExpiredPendingLinks(t, now);
    const expires_at = now + pendingLinkSeconds * 1000;
    await insertPendingLink(t, { hash: hashOf(secret), user_id: userId, issuer, subject, email, attempts: 0, expires_at });
  });
  return secret;
}

/** @returns undefined for a secret that is unknown, used or expired */
export function findPendingLink(db: Db, secret: string, now: number): Promise<PendingLink | undefined> {
  return findPendingLinkByHash(db, hashOf(secret), { maxAttempts, now });
}

/** Counts a password attempt before it is made. */
export function countAttempt(db: Db, secret: string): Promise<void> {
  return countPendingLinkAttempt(db, hashOf(secret));
}

/**
 * Redeems a link: from now on, the provider's account signs in to ours. Part of a change of credentials
 * (credentials.ts).
 * @throws Problem `gone` when the link was used or revoked since; `providerTaken` when the provider's account is
 *   linked to another account
 */
export async function redeemPendingLink(t: Db, secret: string, now: number): Promise<{ userId: string }> {
  const row = await takePendingLink(t, hashOf(secret));
  if (row === undefined || row.expires_at <= now) throw new Problem("gone");
  const { issuer, subject, user_id: userId } = row;
  const isAdded = await insertIdentityIfFree(t, { issuer, subject, user_id: userId, created_at: now });
  if (!isAdded) throw new Problem("providerTaken");
  return { userId };
}
