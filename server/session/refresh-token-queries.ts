import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { RefreshTokenTable, SessionTable } from "./tables.ts";

/** A token and its session. */
export interface KnownRefreshToken extends Selectable<RefreshTokenTable>, Pick<SessionTable, "user_id" | "revoked_at"> {
  /** When its session began, epoch ms. */
  begun_at: number;
}

/** Adds a token to the family of its session. @param token its SHA-256; times in epoch ms */
export async function insertRefreshToken(t: Db, token: Insertable<RefreshTokenTable>): Promise<void> {
  await t.insertInto("refresh_tokens").values(token).execute();
}

/** A token, used or not, expired or not. */
export function findRefreshToken(db: Db, hash: string): Promise<KnownRefreshToken | undefined> {
  return db
    .selectFrom("refresh_tokens")
    .innerJoin("sessions", "sessions.id", "refresh_tokens.session_id")
    .selectAll("refresh_tokens")
    .select(["sessions.user_id", "sessions.revoked_at", "sessions.created_at as begun_at"])
    .where("hash", "=", hash)
    .executeTakeFirst();
}

/** When a token was made and used, and when it expires (epoch ms). */
export function findRefreshTokenTimes(
  db: Db,
  hash: string,
): Promise<Pick<RefreshTokenTable, "replaced_at" | "created_at" | "expires_at"> | undefined> {
  return db
    .selectFrom("refresh_tokens")
    .select(["replaced_at", "created_at", "expires_at"])
    .where("hash", "=", hash)
    .executeTakeFirst();
}

/** Marks a token as used, and stores its successor. */
export async function replaceRefreshToken(
  t: Db,
  hash: string,
  replacement: Pick<Updateable<RefreshTokenTable>, "replaced_at" | "successor_hash" | "sealed_successor">,
): Promise<void> {
  await t.updateTable("refresh_tokens").set(replacement).where("hash", "=", hash).execute();
}

/** @param now epoch ms */
export async function deleteExpiredRefreshTokens(db: Db, now: number): Promise<void> {
  await db.deleteFrom("refresh_tokens").where("expires_at", "<=", now).execute();
}
