import { createHash, randomBytes } from "node:crypto";
import { Problem } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
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

/** Binds a provider's account that waits to be linked to the browser in which its owner has signed in there. */
export const linkCookie = (deps: { origins: Origins }) => authCookie(deps, "parlance_link");

/** How long somebody may take to type the password, in seconds. */
export const pendingLinkSeconds = 10 * 60;
/** Passwords that may be tried for one link, whatever the throttle says of the account. */
const maxAttempts = 5;

/**
 * Remembers a provider's account until the password of ours comes. An earlier one of the same two is replaced.
 * @param now epoch ms
 * @returns the secret that the browser keeps in a cookie; the database has its SHA-256 alone
 */
export async function keepPendingLink(db: Db, userId: string, identity: Identity, now: number): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const { issuer, subject, email = "" } = identity;
  await db.transaction().execute(async (t) => {
    await deletePendingLink(t, userId, identity);
    await deleteExpiredPendingLinks(t, now);
    const expires_at = now + pendingLinkSeconds * 1000;
    await insertPendingLink(t, { hash: hashOf(secret), user_id: userId, issuer, subject, email, attempts: 0, expires_at });
  });
  return secret;
}

/** @returns undefined for a secret that is unknown, used or too old */
export function findPendingLink(db: Db, secret: string, now: number): Promise<PendingLink | undefined> {
  return findPendingLinkByHash(db, hashOf(secret), { maxAttempts, now });
}

/** Counts a password that is about to be tried. */
export function countAttempt(db: Db, secret: string): Promise<void> {
  return countPendingLinkAttempt(db, hashOf(secret));
}

/**
 * Uses a link up: the provider's account opens ours from now on. Part of a change of credentials (credentials.ts).
 * @throws Problem `gone` when it was used meanwhile, or ended by another change; `providerTaken` when it opens another account
 */
export async function redeemPendingLink(t: Db, secret: string, now: number): Promise<{ userId: string }> {
  const row = await takePendingLink(t, hashOf(secret));
  if (row === undefined || row.expires_at <= now) throw new Problem("gone");
  const { issuer, subject, user_id: userId } = row;
  const isAdded = await insertIdentityIfFree(t, { issuer, subject, user_id: userId, created_at: now });
  if (!isAdded) throw new Problem("providerTaken");
  return { userId };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
