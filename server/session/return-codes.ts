import { createHash, randomBytes } from "node:crypto";
import type { Db } from "#server/db/open.ts";
import { insertReturnCode, takeReturnCode } from "./queries.ts";

/** How long a code works, in milliseconds: a redirect and the start of a page. */
const lifeMs = 60_000;

/**
 * Makes the code that stands in the page's address after a federated sign-in, in the place of a token: good once, and only in a browser
 * that has this person's refresh cookie. The database keeps its SHA-256 alone.
 * @param now epoch ms
 */
export async function issueReturnCode(db: Db, userId: string, now: number): Promise<string> {
  const code = randomBytes(32).toString("base64url");
  await insertReturnCode(db, { hash: hashOf(code), user_id: userId, expires_at: now + lifeMs });
  return code;
}

/**
 * Uses a code up, whoever brings it.
 * @returns whom it stands for; undefined for one that is unknown, used or too old
 */
export async function redeemReturnCode(db: Db, code: string, now: number): Promise<string | undefined> {
  const row = await takeReturnCode(db, hashOf(code));
  return row !== undefined && row.expires_at > now ? row.user_id : undefined;
}

function hashOf(code: string): string {
  return createHash("sha256").update(code).digest("hex");
}
