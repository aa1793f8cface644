import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { prepared } from "#server/db/prepared.ts";
import { Problem } from "#server/errors/problem.ts";
import type { User } from "#server/users/tables.ts";
import { deletePersonalTokensOf } from "./credential-queries.ts";
import type { ReturnCodeTable, SessionTable } from "./tables.ts";

/** Begins a session. @param session times in epoch ms */
export async function insertSession(t: Db, session: Insertable<SessionTable>): Promise<void> {
  await t.insertInto("sessions").values(session).execute();
}

function livingSessions(db: Db) {
  return db.selectFrom("sessions").where("sessions.revoked_at", "is", null);
}

const signedIn = prepared<{ userId: string; sessionId: string }, User>((db, value) =>
  livingSessions(db)
    .innerJoin("users", "users.id", "sessions.user_id")
    .selectAll("users")
    .where("users.id", "=", value("userId"))
    .where("users.blocked_at", "is", null)
    .where("sessions.id", "=", value("sessionId")),
);

/** The user of a session that has not ended; undefined otherwise. */
export async function findSignedIn(db: Db, userId: string, sessionId: string): Promise<User | undefined> {
  const [user] = await signedIn(db, { userId, sessionId });
  return user;
}

/**
 * Checks, in the transaction that acts on a session's behalf, that the session has not ended since authentication.
 * After a change of credentials, nothing authorized by the former ones may take effect.
 * @throws Problem `unauthorized`
 */
export async function requireLiving(t: Db, userId: string, sessionId: string): Promise<void> {
  if ((await findSignedIn(t, userId, sessionId)) === undefined) throw new Problem("unauthorized", "The session has ended.");
}

/** Which of these sessions and personal access tokens have not ended. @param now epoch ms */
export async function findLiving(db: Db, ids: readonly string[], now: number): Promise<Set<string>> {
  const sessions = livingSessions(db).select("sessions.id").where("sessions.id", "in", ids);
  const tokens = db.selectFrom("personal_tokens").select("id").where("id", "in", ids).where("expires_at", ">", now);
  const rows = await sessions.unionAll(tokens).execute();
  return new Set(rows.map(({ id }) => id));
}

/** The ids of a user's sessions that have not ended. */
export async function listLivingSessionIds(t: Db, userId: string): Promise<string[]> {
  const rows = await livingSessions(t).select("sessions.id").where("user_id", "=", userId).execute();
  return rows.map(({ id }) => id);
}

/** A user's sessions that have not ended and can still be renewed. */
export function listRenewableSessions(db: Db, userId: string): Promise<Selectable<SessionTable>[]> {
  return livingSessions(db)
    .selectAll()
    .where("user_id", "=", userId)
    .where((eb) => eb.exists(eb.selectFrom("refresh_tokens").select("hash").whereRef("session_id", "=", "sessions.id")))
    .execute();
}

/** When the user last authenticated at a provider in this session (epoch ms); null for never or an unknown session. */
export async function findConfirmedAt(db: Db, sessionId: string): Promise<number | null> {
  const row = await db.selectFrom("sessions").select("confirmed_at").where("id", "=", sessionId).executeTakeFirst();
  return row?.confirmed_at ?? null;
}

/** @param at when the user authenticated at a provider, epoch ms */
export async function setConfirmedAt(db: Db, sessionId: string, at: number): Promise<void> {
  await db.updateTable("sessions").set({ confirmed_at: at }).where("id", "=", sessionId).execute();
}

/** @param at when the session was last renewed, epoch ms */
export async function touchSession(t: Db, sessionId: string, at: number): Promise<void> {
  await t.updateTable("sessions").set({ seen_at: at }).where("id", "=", sessionId).execute();
}

/** Ends a session; does nothing if it has ended already. @param now epoch ms */
export async function revokeSession(db: Db, id: string, now: number): Promise<void> {
  const living = db.updateTable("sessions").where("id", "=", id).where("revoked_at", "is", null);
  await living.set({ revoked_at: now }).execute();
}

/**
 * Ends one of a user's sessions.
 * @param now epoch ms
 * @returns false when this user has no active session with this id
 */
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
 * Ends all of a user's personal access tokens, and all sessions except `except`. Call `connections.recheck()` after the
 * commit.
 * @param now epoch ms
 */
export async function revokeAccessOf(t: Db, userId: string, now: number, except = ""): Promise<void> {
  await deletePersonalTokensOf(t, userId);
  await t
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("user_id", "=", userId)
    .where("id", "!=", except)
    .where("revoked_at", "is", null)
    .execute();
}

/**
 * Ends the user's sessions that have been idle for longest, so that `most` are left.
 * @param now epoch ms
 * @returns how many sessions were ended
 */
export async function revokeIdlest(t: Db, userId: string, most: number, now: number): Promise<number> {
  const sessions = (await listRenewableSessions(t, userId)).toSorted((a, b) => usedAt(b) - usedAt(a)).slice(most);
  if (sessions.length === 0) return 0;
  const ids = sessions.map(({ id }) => id);
  await t.updateTable("sessions").set({ revoked_at: now }).where("id", "in", ids).execute();
  return ids.length;
}

const usedAt = ({ seen_at, created_at }: Selectable<SessionTable>) => seen_at ?? created_at;

/** Ends all sessions that began at or before a time. @param begunBy epoch ms. @param now epoch ms */
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

/** The key that signs an account's device passes. */
export async function findDeviceKey(db: Db, userId: string): Promise<string | undefined> {
  return (await db.selectFrom("device_keys").select("key").where("user_id", "=", userId).executeTakeFirst())?.key;
}

/** Stores an account's device key, unless it has one or is deleted. */
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

/**
 * Makes all of an account's devices unknown. Part of a change of credentials: an intruder's device must not keep its
 * own allowance of guesses.
 */
export async function deleteDeviceKey(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("device_keys").where("user_id", "=", userId).execute();
}

/** Stores a code that can be exchanged for a token once. @param code with its SHA-256; `expires_at` in epoch ms */
export async function insertReturnCode(db: Db, code: Insertable<ReturnCodeTable>): Promise<void> {
  await db.insertInto("return_codes").values(code).execute();
}

/** Deletes and returns a code, expired or not. */
export function takeReturnCode(db: Db, hash: string): Promise<Pick<ReturnCodeTable, "user_id" | "expires_at"> | undefined> {
  return db.deleteFrom("return_codes").where("hash", "=", hash).returning(["user_id", "expires_at"]).executeTakeFirst();
}

/** @param now epoch ms */
export async function deleteExpiredReturnCodes(db: Db, now: number): Promise<void> {
  await db.deleteFrom("return_codes").where("expires_at", "<=", now).execute();
}
