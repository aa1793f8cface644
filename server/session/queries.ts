import type { Insertable, Selectable } from "kysely";
import { Problem } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
import type { ReturnCodeTable, SessionTable, User } from "#server/db/schema.ts";

/** Begins a session. @param session times in epoch ms */
export async function insertSession(t: Db, session: Insertable<SessionTable>): Promise<void> {
  await t.insertInto("sessions").values(session).execute();
}

function livingSessions(db: Db) {
  return db.selectFrom("sessions").where("sessions.revoked_at", "is", null);
}

/** The user of a session that has not ended. */
export function findSignedIn(db: Db, userId: string, sessionId: string): Promise<User | undefined> {
  return livingSessions(db)
    .innerJoin("users", "users.id", "sessions.user_id")
    .selectAll("users")
    .where("users.id", "=", userId)
    .where("sessions.id", "=", sessionId)
    .executeTakeFirst();
}

/**
 * Makes sure, in the transaction that acts on it, that the session which was let in has not been ended since: a credential that was
 * changed meanwhile leaves nothing behind of what was proven with the former one.
 * @throws Problem `unauthorized`
 */
export async function requireLiving(t: Db, userId: string, sessionId: string): Promise<void> {
  if ((await findSignedIn(t, userId, sessionId)) === undefined) throw new Problem("unauthorized", "The session has ended.");
}

/** Which of these sessions have not ended. */
export async function findLivingSessions(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const rows = await livingSessions(db).select("sessions.id").where("sessions.id", "in", ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/** The ids of a person's sessions that have not ended. */
export async function listLivingSessionIds(t: Db, userId: string): Promise<string[]> {
  const rows = await livingSessions(t).select("sessions.id").where("user_id", "=", userId).execute();
  return rows.map(({ id }) => id);
}

/** A person's sessions that have not ended and can still be renewed. */
export function listRenewableSessions(db: Db, userId: string): Promise<Selectable<SessionTable>[]> {
  return livingSessions(db)
    .selectAll()
    .where("user_id", "=", userId)
    .where((eb) => eb.exists(eb.selectFrom("refresh_tokens").select("hash").whereRef("session_id", "=", "sessions.id")))
    .execute();
}

/** When the person last proved at a provider, in this session, who they are (epoch ms); null for never, or for an unknown one. */
export async function findConfirmedAt(db: Db, sessionId: string): Promise<number | null> {
  const row = await db.selectFrom("sessions").select("confirmed_at").where("id", "=", sessionId).executeTakeFirst();
  return row?.confirmed_at ?? null;
}

/** @param at when the person proved at a provider who they are, epoch ms */
export async function setConfirmedAt(db: Db, sessionId: string, at: number): Promise<void> {
  await db.updateTable("sessions").set({ confirmed_at: at }).where("id", "=", sessionId).execute();
}

/** @param at when the session was last renewed, epoch ms */
export async function touchSession(t: Db, sessionId: string, at: number): Promise<void> {
  await t.updateTable("sessions").set({ seen_at: at }).where("id", "=", sessionId).execute();
}

/** Ends a session; nothing happens to one that has ended. @param now epoch ms */
export async function revokeSession(db: Db, id: string, now: number): Promise<void> {
  const living = db.updateTable("sessions").where("id", "=", id).where("revoked_at", "is", null);
  await living.set({ revoked_at: now }).execute();
}

/** Ends one of a person's sessions. @param now epoch ms. @returns false when this person has none of this id, or it has ended */
export async function revokeSessionOf(db: Db, userId: string, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Ends every session of a person, or all but one. Who commits it calls `connections.recheck()`.
 * @param now epoch ms
 */
export async function revokeSessionsOf(t: Db, userId: string, now: number, except = ""): Promise<void> {
  await t
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("user_id", "=", userId)
    .where("id", "!=", except)
    .where("revoked_at", "is", null)
    .execute();
}

/** Ends the sessions that began long ago. @param begunBy epoch ms. @param now epoch ms */
export async function revokeSessionsBegunBy(db: Db, begunBy: number, now: number): Promise<void> {
  await db
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("revoked_at", "is", null)
    .where("created_at", "<=", begunBy)
    .execute();
}

/** @param endedBy epoch ms */
export async function deleteSessionsEndedBy(db: Db, endedBy: number): Promise<void> {
  await db.deleteFrom("sessions").where("revoked_at", "<=", endedBy).execute();
}

/** What an account signs its known devices with. */
export async function findDeviceKey(db: Db, userId: string): Promise<string | undefined> {
  return (await db.selectFrom("device_keys").select("key").where("user_id", "=", userId).executeTakeFirst())?.key;
}

/** Gives an account its key, unless it has one or is gone. */
export async function insertDeviceKey(db: Db, userId: string, key: string): Promise<void> {
  await db
    .insertInto("device_keys")
    .columns(["user_id", "key"])
    .expression((eb) =>
      eb
        .selectFrom("users")
        .select(["id", eb.val(key).as("key")])
        .where("id", "=", userId),
    )
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .execute();
}

/** No device is known to the account any more. Part of a change of credentials: who was in must not keep an allowance of guesses. */
export async function deleteDeviceKey(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("device_keys").where("user_id", "=", userId).execute();
}

/** Keeps a code that is exchanged for a token once. @param code its SHA-256; `expires_at` in epoch ms */
export async function insertReturnCode(db: Db, code: Insertable<ReturnCodeTable>): Promise<void> {
  await db.insertInto("return_codes").values(code).execute();
}

/** Uses a code up, whether or not it is too old. */
export function takeReturnCode(db: Db, hash: string): Promise<Pick<ReturnCodeTable, "user_id" | "expires_at"> | undefined> {
  return db.deleteFrom("return_codes").where("hash", "=", hash).returning(["user_id", "expires_at"]).executeTakeFirst();
}

/** @param now epoch ms */
export async function deleteExpiredReturnCodes(db: Db, now: number): Promise<void> {
  await db.deleteFrom("return_codes").where("expires_at", "<=", now).execute();
}
