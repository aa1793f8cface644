import type { SignIn } from "#contract/index.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import type { OpenConnections } from "./open-connections.ts";
import { listRenewableSessions, revokeAccessOf, revokeSessionOf } from "./queries.ts";

const iso = (at: number) => new Date(at).toISOString();

/** A user's active sessions, the most recently used first. */
export async function listActiveSessions(db: Db, userId: string, current: string): Promise<SignIn[]> {
  const rows = await listRenewableSessions(db, userId);
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

interface Parts extends DbParts {
  connections: OpenConnections;
}

/** Ends one session and its connections. @returns false when this user has no session with this id */
export async function endSession({ db, now, connections }: Parts, userId: string, id: string): Promise<boolean> {
  const isEnded = await revokeSessionOf(db, userId, id, now());
  await connections.recheck();
  return isEnded;
}

/** Ends all of a user's personal access tokens and sessions but one, and their connections. */
export async function endOtherSessions({ db, now, connections }: Parts, userId: string, except: string): Promise<void> {
  await db.transaction().execute((t) => revokeAccessOf(t, userId, now(), except));
  await connections.recheck();
}
