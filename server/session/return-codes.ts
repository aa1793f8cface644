import type { Db } from "#server/db/open.ts";
import { insertReturnCode, takeReturnCode } from "./queries.ts";
import { hashOf, newSecret } from "./secrets.ts";

/** How long a code is valid, in milliseconds: enough for a redirect and a page load. */
const lifeMs = 60_000;

/**
 * Creates the code that a federated sign-in puts into the page's URL instead of a token: valid once, and only in a
 * browser with this user's refresh cookie. The database has only its SHA-256.
 * @param now epoch ms
 */
export async function issueReturnCode(db: Db, userId: string, now: number): Promise<string> {
  const code = newSecret();
  await insertReturnCode(db, { hash: hashOf(code), user_id: userId, expires_at: now + lifeMs });
  return code;
}

/**
 * Consumes a code, whoever presents it.
 * @returns its user's id; undefined for a code that is unknown, used or expired
 */
export async function redeemReturnCode(db: Db, code: string, now: number): Promise<string | undefined> {
  const row = await takeReturnCode(db, hashOf(code));
  return row !== undefined && row.expires_at > now ? row.user_id : undefined;
}
