import type { SignInMethod } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { authCookie } from "#server/http/cookies.ts";
import type { Origins } from "#server/http/origins.ts";
import { hasPasswordHash } from "#server/users/queries.ts";
import type { User } from "#server/users/tables.ts";
import {
  countPendingSignInAttempt,
  deleteExpiredPendingSignIns,
  findPendingSignIn,
  insertPendingSignIn,
  type PendingSignIn,
  takePendingSignIn,
} from "./pending-sign-in-queries.ts";
import { hashOf, newSecret } from "./secrets.ts";

/** Binds a sign-in that waits for a code to the browser in which the password was right. */
export const pendingSignInCookie = (deps: { origins: Origins }) => authCookie(deps, "parlance_sign_in");

/** Time limit for typing the code, in seconds. */
export const pendingSignInSeconds = 5 * 60;
/** Most codes tried for one sign-in, independent of the throttle for the account. */
const maxAttempts = 5;

interface Begun {
  method: SignInMethod;
  /** Whether the sign-in also links the provider's account that is pending in this browser. */
  links: boolean;
  /** Epoch ms. */
  now: number;
}

/**
 * Stores a sign-in whose password, or provider, was right.
 * @param user as read when the password was checked
 * @returns the secret for the browser's cookie; the database has only its SHA-256
 * @throws Problem `badCredentials` when the password was changed since
 */
export async function keepPendingSignIn(db: Db, user: User, { method, links, now }: Begun): Promise<string> {
  const secret = newSecret();
  await db.transaction().execute(async (t) => {
    if (!(await hasPasswordHash(t, user.id, user.password_hash))) throw new Problem("badCredentials");
    await deleteExpiredPendingSignIns(t, now);
    const expires_at = now + pendingSignInSeconds * 1000;
    await insertPendingSignIn(t, {
      hash: hashOf(secret),
      user_id: user.id,
      method,
      links: links ? 1 : 0,
      attempts: 0,
      expires_at,
    });
  });
  return secret;
}

/** @returns undefined for a secret that is unknown, used, expired or out of attempts */
export function pendingSignInOf(db: Db, secret: string, now: number): Promise<PendingSignIn | undefined> {
  return findPendingSignIn(db, hashOf(secret), { maxAttempts, now });
}

/** Counts a code before it is checked. @throws Problem `gone` when it is one too many */
export async function countCode(db: Db, secret: string): Promise<void> {
  if (!(await countPendingSignInAttempt(db, hashOf(secret), maxAttempts))) throw new Problem("gone");
}

/** Ends the pending sign-in, as its session begins. @throws Problem `gone` when it has ended in the meantime */
export async function endPendingSignIn(db: Db, secret: string): Promise<void> {
  if (!(await takePendingSignIn(db, hashOf(secret)))) throw new Problem("gone");
}
