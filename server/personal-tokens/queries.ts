import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { User } from "#server/users/tables.ts";
import type { PersonalTokenTable } from "./tables.ts";

export type PersonalTokenRow = Selectable<PersonalTokenTable>;

/** @param row times in epoch ms */
export async function insertPersonalToken(t: Db, row: PersonalTokenRow): Promise<void> {
  await t.insertInto("personal_tokens").values(row).execute();
}

/** A token by its id, expired or not, with its owner; undefined also while an operator has blocked the account. */
export async function findPersonalToken(db: Db, id: string): Promise<{ row: PersonalTokenRow; user: User } | undefined> {
  const row = await db.selectFrom("personal_tokens").selectAll().where("id", "=", id).executeTakeFirst();
  if (row === undefined) return undefined;
  const owner = db.selectFrom("users").selectAll().where("id", "=", row.user_id).where("blocked_at", "is", null);
  const user = await owner.executeTakeFirst();
  return user && { row, user };
}

export function listPersonalTokens(db: Db, userId: string): Promise<PersonalTokenRow[]> {
  const own = db.selectFrom("personal_tokens").selectAll().where("user_id", "=", userId);
  return own.orderBy("created_at", "desc").orderBy("id").execute();
}

/**
 * Records the use of a token, unless a recent use is recorded: reads must not write each time.
 * @param at, earliest epoch ms
 */
export async function touchPersonalToken(db: Db, id: string, at: number, earliest: number): Promise<void> {
  await db
    .updateTable("personal_tokens")
    .set({ used_at: at })
    .where("id", "=", id)
    .where((eb) => eb.or([eb("used_at", "is", null), eb("used_at", "<=", earliest)]))
    .execute();
}

/** @returns false when this user has no token with this id */
export function deletePersonalToken(db: Db, userId: string, id: string): Promise<boolean> {
  const own = db.deleteFrom("personal_tokens").where("id", "=", id).where("user_id", "=", userId);
  return affectsAny(own);
}

/** @param by epoch ms */
export async function deletePersonalTokensExpiredBy(db: Db, by: number): Promise<void> {
  await db.deleteFrom("personal_tokens").where("expires_at", "<=", by).execute();
}
