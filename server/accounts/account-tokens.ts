import { createHash, randomBytes } from "node:crypto";
import type { Db } from "../db/open.ts";
import { Problem } from "../problem.ts";

/** What the link in a mail is for: `confirm` an address, choose a new password, move the account to another address. */
export type TokenPurpose = "confirm" | "reset" | "newEmail";

const hour = 60 * 60_000;
/** How long a link works, in milliseconds. */
const lifeMs: Record<TokenPurpose, number> = { confirm: 24 * hour, reset: hour, newEmail: 24 * hour };

/**
 * Makes the token of a link. An earlier one for the same purpose stops working. The database keeps its SHA-256 alone.
 * @param email the address that it is about
 */
export async function issueToken(
  db: Db,
  { userId, purpose, email, now }: { userId: string; purpose: TokenPurpose; email: string; now: number },
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.transaction().execute(async (t) => {
    await t.deleteFrom("account_tokens").where("user_id", "=", userId).where("purpose", "=", purpose).execute();
    const expires = now + lifeMs[purpose];
    await t
      .insertInto("account_tokens")
      .values({ hash: hashOf(token), user_id: userId, purpose, email, expires_at: expires })
      .execute();
  });
  return token;
}

/**
 * Uses a token up.
 * @throws Problem `linkInvalid` for one that is unknown, used, replaced or too old
 */
export async function redeemToken(
  t: Db,
  token: string,
  purposes: readonly TokenPurpose[],
  now: number,
): Promise<{ userId: string; purpose: TokenPurpose; email: string }> {
  const row = await t
    .deleteFrom("account_tokens")
    .where("hash", "=", hashOf(token))
    .where("purpose", "in", purposes)
    .returning(["user_id", "purpose", "email", "expires_at"])
    .executeTakeFirst();
  if (row === undefined || row.expires_at <= now) throw new Problem("linkInvalid");
  return { userId: row.user_id, purpose: row.purpose, email: row.email };
}

function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
