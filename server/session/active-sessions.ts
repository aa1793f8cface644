import type { SignIn } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { OpenConnections } from "./open-connections.ts";

const iso = (at: number) => new Date(at).toISOString();

/** A person's sign-ins that have not ended, the one used last first. */
export async function listSignIns(db: Db, userId: string, current: string): Promise<SignIn[]> {
  const rows = await db
    .selectFrom("sessions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .where((eb) => eb.exists(eb.selectFrom("refresh_tokens").select("hash").whereRef("session_id", "=", "sessions.id")))
    .execute();
  const used = (row: (typeof rows)[number]) => row.seen_at ?? row.created_at;
  return rows
    .toSorted((one, other) => used(other) - used(one))
    .map((row) => ({
      id: row.id,
      device: row.device,
      createdAt: iso(row.created_at),
      seenAt: row.seen_at === null ? null : iso(row.seen_at),
      current: row.id === current,
    }));
}

interface Parts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  connections: OpenConnections;
}

/** Ends one session, and what is connected under it. @returns false when this person has none of this id */
export async function endSession({ db, now, connections }: Parts, userId: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("sessions")
    .set({ revoked_at: now() })
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  await connections.recheck();
  return numUpdatedRows > 0n;
}

/** Ends every session of a person but one, and what is connected under them. */
export async function endOtherSessions({ db, now, connections }: Parts, userId: string, except: string): Promise<void> {
  await endSessions(db, userId, now(), except);
  await connections.recheck();
}

/**
 * Ends every session of a person, or all but one, as a part of a transaction. Who commits it calls `connections.recheck()`.
 * @param now epoch ms
 */
export async function endSessions(t: Db, userId: string, now: number, except = ""): Promise<void> {
  await t
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where("user_id", "=", userId)
    .where("id", "!=", except)
    .where("revoked_at", "is", null)
    .execute();
}
