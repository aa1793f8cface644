import { sql, type Updateable } from "kysely";
import { folded } from "#contract/search/terms.ts";
import type { Db } from "#server/db/open.ts";
import { dayOf } from "#server/metrics/days.ts";
import type { User, UserTable } from "./tables.ts";

const dayMs = 24 * 60 * 60 * 1000;

export function findUser(db: Db, id: string): Promise<User | undefined> {
  return db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
}

export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.selectFrom("users").selectAll().where("email", "=", email).executeTakeFirst();
}

/** Adds an account. @throws the database's error when its address is taken */
export async function insertUser(t: Db, user: User): Promise<void> {
  await t
    .insertInto("users")
    .values({ ...user, folded_name: folded(user.name) })
    .execute();
}

/** Adds an account unless its address is taken. @returns whether it was added */
export async function insertUserIfEmailIsFree(db: Db, user: User): Promise<boolean> {
  const added = await db
    .insertInto("users")
    .values({ ...user, folded_name: folded(user.name) })
    .onConflict((conflict) => conflict.column("email").doNothing())
    .returning("id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Changes an account; does nothing if it has been deleted. */
export async function updateUser(db: Db, id: string, change: Updateable<UserTable>): Promise<void> {
  const derived = typeof change.name === "string" ? { folded_name: folded(change.name) } : {};
  await db
    .updateTable("users")
    .set({ ...change, ...derived })
    .where("id", "=", id)
    .execute();
}

/** Marks the address as verified if the password is unchanged (compare-and-set). @returns whether it was unchanged */
export async function verifyEmailIfPasswordIs(t: Db, id: string, passwordHash: string): Promise<boolean> {
  const same = t.updateTable("users").where("id", "=", id).where("password_hash", "=", passwordHash);
  const { numUpdatedRows } = await same.set({ email_verified: 1 }).executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function hasPasswordHash(t: Db, id: string, passwordHash: string): Promise<boolean> {
  const same = t.selectFrom("users").select("id").where("id", "=", id).where("password_hash", "=", passwordHash);
  return (await same.executeTakeFirst()) !== undefined;
}

export async function isBlocked(t: Db, id: string): Promise<boolean> {
  const blocked = t.selectFrom("users").select("id").where("id", "=", id).where("blocked_at", "is not", null);
  return (await blocked.executeTakeFirst()) !== undefined;
}

/** Whether this address of an account is verified; undefined when the account has another address or is deleted. */
export async function isEmailVerified(t: Db, id: string, email: string): Promise<boolean | undefined> {
  const own = t.selectFrom("users").select("email_verified").where("id", "=", id).where("email", "=", email);
  const user = await own.executeTakeFirst();
  return user && user.email_verified === 1;
}

/** Deletes an account and everything that refers to it by a foreign key. */
export async function deleteUser(t: Db, id: string): Promise<void> {
  await t.deleteFrom("users").where("id", "=", id).execute();
}

/** False also for a deleted account. */
export async function isSuperuser(db: Db, id: string): Promise<boolean> {
  const user = await db.selectFrom("users").select("is_superuser").where("id", "=", id).executeTakeFirst();
  return user?.is_superuser === 1;
}

/** @returns the id of the superuser with the oldest account; undefined when there is none */
export async function findFirstSuperuser(db: Db): Promise<string | undefined> {
  const superusers = db.selectFrom("users").select("id").where("is_superuser", "=", 1).orderBy("created_at");
  return (await superusers.executeTakeFirst())?.id;
}

/**
 * Whether there is another superuser. Call it in the transaction that removes the right: writing transactions are
 * serialized, so two superusers can't both be removed.
 */
export async function hasOtherSuperuser(t: Db, id: string): Promise<boolean> {
  const superusers = t.selectFrom("users").select("id").where("is_superuser", "=", 1).where("blocked_at", "is", null);
  return (await superusers.where("id", "!=", id).executeTakeFirst()) !== undefined;
}

/** New accounts per day ("2026-03-01"); days without any are left out. @param since the first day */
export async function countNewUsersByDay(db: Db, since: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("users")
    .select([sql<number>`created_at / 86400000`.as("day"), sql<number>`count(*)`.as("count")])
    .where("created_at", ">=", Date.parse(`${since}T00:00:00Z`))
    .groupBy(sql`created_at / 86400000`)
    .execute();
  return new Map(rows.map(({ day, count }) => [dayOf(Math.floor(Number(day)) * dayMs), Number(count)]));
}
