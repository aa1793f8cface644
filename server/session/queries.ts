import type { Db } from "#server/db/open.ts";
import type { User } from "#server/db/schema.ts";
import { Problem } from "#server/problem.ts";

/** The sessions that have not ended. */
export function livingSessions(db: Db) {
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
