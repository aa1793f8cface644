import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { AccountTokenTable } from "./tables.ts";

type Purpose = AccountTokenTable["purpose"];

/** Stores a token that a mail contains. @param token with its SHA-256; `expires_at` in epoch ms */
export async function insertLinkToken(t: Db, token: Insertable<AccountTokenTable>): Promise<void> {
  await t.insertInto("account_tokens").values(token).execute();
}

/** A token's address, without consuming the token; undefined when unknown or expired. @param now epoch ms */
export async function findLinkTokenEmail(db: Db, hash: string, purpose: Purpose, now: number): Promise<string | undefined> {
  const living = db.selectFrom("account_tokens").select("email").where("expires_at", ">", now);
  return (await living.where("hash", "=", hash).where("purpose", "=", purpose).executeTakeFirst())?.email;
}

/**
 * Consumes a token, expired or not.
 * @returns undefined for a token that is unknown or has another purpose
 */
export function consumeLinkToken(
  t: Db,
  hash: string,
  purposes: readonly Purpose[],
): Promise<Omit<Selectable<AccountTokenTable>, "hash"> | undefined> {
  return t
    .deleteFrom("account_tokens")
    .where("hash", "=", hash)
    .where("purpose", "in", purposes)
    .returning(["user_id", "purpose", "email", "session_id", "expires_at"])
    .executeTakeFirst();
}

/** @returns whether it existed */
export function deleteLinkToken(t: Db, hash: string): Promise<boolean> {
  return affectsAny(t.deleteFrom("account_tokens").where("hash", "=", hash));
}

/** Deletes a user's tokens. @param purposes default: all */
export async function deleteLinkTokensOf(t: Db, userId: string, purposes?: readonly Purpose[]): Promise<void> {
  const own = t.deleteFrom("account_tokens").where("user_id", "=", userId);
  await (purposes === undefined ? own : own.where("purpose", "in", purposes)).execute();
}

/** @param now epoch ms */
export async function deleteExpiredLinkTokens(db: Db, now: number): Promise<void> {
  await db.deleteFrom("account_tokens").where("expires_at", "<=", now).execute();
}
