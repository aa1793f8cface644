import type { Insertable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { User } from "#server/users/tables.ts";
import type { PendingSignInTable } from "./tables.ts";

/** A sign-in that waits for a code. */
export interface PendingSignIn {
  user: User;
  method: PendingSignInTable["method"];
  /** The sign-in also links the provider's account that is pending in this browser. */
  links: boolean;
}

/** @param pending with the SHA-256 of its secret; `expires_at` in epoch ms */
export async function insertPendingSignIn(t: Db, pending: Insertable<PendingSignInTable>): Promise<void> {
  await t.insertInto("pending_sign_ins").values(pending).execute();
}

/**
 * @param maxAttempts most codes that may be tried
 * @param now epoch ms
 * @returns undefined for a sign-in that is unknown, expired or out of attempts
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

/** Counts a code before it is checked. @returns false when it is one too many, or the sign-in no longer waits */
export function countPendingSignInAttempt(db: Db, hash: string, maxAttempts: number): Promise<boolean> {
  return affectsAny(
    db
      .updateTable("pending_sign_ins")
      .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
      .where("hash", "=", hash)
      .where("attempts", "<", maxAttempts),
  );
}

/** Ends a pending sign-in. @returns false when it has already ended */
export function takePendingSignIn(t: Db, hash: string): Promise<boolean> {
  return affectsAny(t.deleteFrom("pending_sign_ins").where("hash", "=", hash));
}

/** Ends an account's pending sign-ins. Part of a change of credentials. */
export async function deletePendingSignInsOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("pending_sign_ins").where("user_id", "=", userId).execute();
}

/** @param now epoch ms */
export async function deleteExpiredPendingSignIns(db: Db, now: number): Promise<void> {
  await db.deleteFrom("pending_sign_ins").where("expires_at", "<=", now).execute();
}
