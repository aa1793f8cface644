import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny, countRows } from "#server/db/results.ts";
import type { SecondFactorTable } from "./tables.ts";

export type SecondFactorRow = Selectable<SecondFactorTable>;

export function findSecondFactor(db: Db, userId: string): Promise<SecondFactorRow | undefined> {
  return db.selectFrom("second_factors").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/**
 * Stores a secret that is to be confirmed, and replaces an earlier unconfirmed one. @returns false when a confirmed one
 * exists
 */
export async function offerSecondFactor(
  db: Db,
  { user_id, sealed_secret, created_at }: Pick<SecondFactorTable, "user_id" | "sealed_secret" | "created_at">,
): Promise<boolean> {
  const kept = await db
    .insertInto("second_factors")
    .values({ user_id, sealed_secret, created_at, enabled_at: null, last_step: 0 })
    .onConflict((conflict) =>
      conflict
        .column("user_id")
        .doUpdateSet({ sealed_secret, created_at, last_step: 0 })
        .where("second_factors.enabled_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  return kept !== undefined;
}

/**
 * Turns on the second factor with the offered secret. @param at epoch ms @returns false when it is on, or another
 * secret was offered since
 */
export function enableSecondFactor(t: Db, row: SecondFactorRow, at: number): Promise<boolean> {
  return affectsAny(
    t
      .updateTable("second_factors")
      .set({ enabled_at: at })
      .where("user_id", "=", row.user_id)
      .where("sealed_secret", "=", row.sealed_secret)
      .where("enabled_at", "is", null),
  );
}

/**
 * Notes that the code of a time step was used, unless that or a later step was used before (compare-and-set). @returns
 * whether it was noted
 */
export function takeStep(db: Db, row: SecondFactorRow, step: number): Promise<boolean> {
  return affectsAny(
    db
      .updateTable("second_factors")
      .set({ last_step: step })
      .where("user_id", "=", row.user_id)
      .where("sealed_secret", "=", row.sealed_secret)
      .where("last_step", "<", step),
  );
}

/** Removes an account's authenticator app and its recovery codes. */
export async function deleteSecondFactor(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("second_factors").where("user_id", "=", userId).execute();
  await t.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

/** Replaces the remaining recovery codes. @param hashes SHA-256, hex */
export async function replaceRecoveryCodes(t: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await t.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await t
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ hash, user_id: userId })))
    .execute();
}

/** Uses up a recovery code. @returns false when there is none */
export function takeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const code = db.deleteFrom("recovery_codes").where("user_id", "=", userId).where("hash", "=", hash);
  return affectsAny(code);
}

export function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom("recovery_codes").where("user_id", "=", userId));
}
