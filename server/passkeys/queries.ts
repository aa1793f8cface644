import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { User } from "#server/users/tables.ts";
import type { PasskeyChallengeTable, PasskeyTable } from "./tables.ts";

export type PasskeyRow = Selectable<PasskeyTable>;

/** An account's passkeys, the oldest first. */
export function listPasskeys(db: Db, userId: string): Promise<PasskeyRow[]> {
  const own = db.selectFrom("passkeys").selectAll().where("user_id", "=", userId);
  return own.orderBy("created_at").orderBy("id").execute();
}

/** A passkey by the authenticator's name for it, and its owner. */
export async function findPasskey(db: Db, credentialId: string): Promise<{ passkey: PasskeyRow; user: User } | undefined> {
  const passkey = await db.selectFrom("passkeys").selectAll().where("credential_id", "=", credentialId).executeTakeFirst();
  if (passkey === undefined) return undefined;
  const user = await db.selectFrom("users").selectAll().where("id", "=", passkey.user_id).executeTakeFirst();
  return user && { passkey, user };
}

/**
 * Stores a passkey.
 * @returns false if it is already registered
 */
export async function insertPasskey(t: Db, row: Insertable<PasskeyTable>): Promise<boolean> {
  const kept = await t
    .insertInto("passkeys")
    .values(row)
    .onConflict((conflict) => conflict.column("credential_id").doNothing())
    .returning("id")
    .executeTakeFirst();
  return kept !== undefined;
}

/** @returns false when this user has no such passkey */
export function renamePasskey(db: Db, userId: string, id: string, name: string): Promise<boolean> {
  const own = db.updateTable("passkeys").set({ name }).where("id", "=", id).where("user_id", "=", userId);
  return affectsAny(own);
}

/**
 * Records the use of a passkey, unless its counter went backwards (compare-and-set; WebAuthn Level 3, section 7.2, step
 * 22).
 * @param use the authenticator's counter, 0 if it has none; `at` in epoch ms
 * @returns false if it went backwards, or the passkey no longer exists
 */
export function notePasskeyUse(
  db: Db,
  id: string,
  { counter, synced, at }: { counter: number; synced: boolean; at: number },
): Promise<boolean> {
  return affectsAny(
    db
      .updateTable("passkeys")
      .set({ counter, synced: synced ? 1 : 0, used_at: at })
      .where("id", "=", id)
      .where((eb) => (counter === 0 ? eb("counter", "=", 0) : eb("counter", "<", counter))),
  );
}

/** @returns false when this user has no such passkey */
export function deletePasskey(t: Db, userId: string, id: string): Promise<boolean> {
  const own = t.deleteFrom("passkeys").where("id", "=", id).where("user_id", "=", userId);
  return affectsAny(own);
}

/** @param row with the SHA-256 of the challenge; `expires_at` in epoch ms */
export async function insertChallenge(t: Db, row: Insertable<PasskeyChallengeTable>): Promise<void> {
  await t.insertInto("passkey_challenges").values(row).execute();
}

/** Deletes and returns a challenge, expired or not: each is used once, whatever the result. */
export function takeChallenge(t: Db, hash: string): Promise<Selectable<PasskeyChallengeTable> | undefined> {
  return t.deleteFrom("passkey_challenges").where("hash", "=", hash).returningAll().executeTakeFirst();
}

/** @param now epoch ms */
export async function deleteExpiredChallenges(db: Db, now: number): Promise<void> {
  await db.deleteFrom("passkey_challenges").where("expires_at", "<=", now).execute();
}
