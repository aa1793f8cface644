import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { User } from "#server/db/schema.ts";
import type { PendingSignInTable, SecondFactorTable } from "#server/db/schema-second-factor.ts";

export type SecondFactorRow = Selectable<SecondFactorTable>;

/** An account's authenticator app, confirmed or not. */
export function findSecondFactor(db: Db, userId: string): Promise<SecondFactorRow | undefined> {
  return db.selectFrom("second_factors").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** Whether signing in to an account asks for a code. */
export async function hasSecondFactor(db: Db, userId: string): Promise<boolean> {
  const enabled = db.selectFrom("second_factors").select("user_id").where("user_id", "=", userId);
  return (await enabled.where("enabled_at", "is not", null).executeTakeFirst()) !== undefined;
}

/** Keeps a secret that is to be confirmed, in the place of an earlier one that was not. @returns false when one is confirmed */
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

/** Turns on what was offered with this secret. @param at epoch ms @returns false when it is on, or another was offered meanwhile */
export async function enableSecondFactor(t: Db, row: SecondFactorRow, at: number): Promise<boolean> {
  const { numUpdatedRows } = await t
    .updateTable("second_factors")
    .set({ enabled_at: at })
    .where("user_id", "=", row.user_id)
    .where("sealed_secret", "=", row.sealed_secret)
    .where("enabled_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Notes that the code of a time step was used, unless it or a later one was before (compare-and-set). @returns whether it was noted */
export async function takeStep(db: Db, row: SecondFactorRow, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("second_factors")
    .set({ last_step: step })
    .where("user_id", "=", row.user_id)
    .where("sealed_secret", "=", row.sealed_secret)
    .where("last_step", "<", step)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Removes an account's authenticator app and its recovery codes. */
export async function deleteSecondFactor(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("second_factors").where("user_id", "=", userId).execute();
  await t.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

/** Puts new recovery codes in the place of those that are left. @param hashes SHA-256, hex */
export async function replaceRecoveryCodes(t: Db, userId: string, hashes: readonly string[]): Promise<void> {
  await t.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await t
    .insertInto("recovery_codes")
    .values(hashes.map((hash) => ({ hash, user_id: userId })))
    .execute();
}

/** Uses up a recovery code. @returns false when there is none */
export async function takeRecoveryCode(db: Db, userId: string, hash: string): Promise<boolean> {
  const code = db.deleteFrom("recovery_codes").where("user_id", "=", userId).where("hash", "=", hash);
  return (await code.executeTakeFirst()).numDeletedRows > 0n;
}

export async function countRecoveryCodes(db: Db, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom("recovery_codes")
    .select(({ fn }) => fn.countAll().as("left"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** A sign-in that waits for a code. */
export interface PendingSignIn {
  user: User;
  method: PendingSignInTable["method"];
  /** It also links the provider's account that waits in this browser. */
  links: boolean;
}

/** @param pending with the SHA-256 of its secret; `expires_at` in epoch ms */
export async function insertPendingSignIn(t: Db, pending: Insertable<PendingSignInTable>): Promise<void> {
  await t.insertInto("pending_sign_ins").values(pending).execute();
}

/**
 * @param maxAttempts codes that may be tried
 * @param now epoch ms
 * @returns undefined for one that is unknown, expired or out of attempts
 */
export async function findPendingSignIn(
  db: Db,
  hash: string,
  { maxAttempts, now }: { maxAttempts: number; now: number },
): Promise<PendingSignIn | undefined> {
  const row = await db
    .selectFrom("pending_sign_ins")
    .innerJoin("users", "users.id", "pending_sign_ins.user_id")
    .selectAll("users")
    .select(["pending_sign_ins.method", "pending_sign_ins.links"])
    .where("pending_sign_ins.hash", "=", hash)
    .where("pending_sign_ins.expires_at", ">", now)
    .where("pending_sign_ins.attempts", "<", maxAttempts)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { method, links, ...user } = row;
  return { user, method, links: links === 1 };
}

/** Counts a code before it is checked. @returns false when it is one too many, or the sign-in does not wait any more */
export async function countPendingSignInAttempt(db: Db, hash: string, maxAttempts: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("pending_sign_ins")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("hash", "=", hash)
    .where("attempts", "<", maxAttempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Ends it. @returns false when it has ended before */
export async function takePendingSignIn(t: Db, hash: string): Promise<boolean> {
  return (await t.deleteFrom("pending_sign_ins").where("hash", "=", hash).executeTakeFirst()).numDeletedRows > 0n;
}

/** Ends those of an account. Part of a change of credentials. */
export async function deletePendingSignInsOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("pending_sign_ins").where("user_id", "=", userId).execute();
}

/** @param now epoch ms */
export async function deleteExpiredPendingSignIns(db: Db, now: number): Promise<void> {
  await db.deleteFrom("pending_sign_ins").where("expires_at", "<=", now).execute();
}
