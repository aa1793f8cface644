import type { AdminUserRow, AdminUsersQuery } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { pcmRate } from "#speech/bytes.ts";
import { type PageOf, pageOf } from "./paging.ts";
import { countUsersFound, findUserOverview, listUserOverviews, type UserOverview } from "./user-queries.ts";

export const samplesPerMinute = 60 * pcmRate;

/** A page of accounts that match the query. @param at epoch ms: determines the month of the minutes */
export async function listUsers(db: Db, asked: AdminUsersQuery, at: number): Promise<PageOf<AdminUserRow>> {
  const { pagination, offset } = pageOf(asked, await countUsersFound(db, asked));
  const rows = await listUserOverviews(db, asked, { at, limit: asked.limit, offset });
  return { rows: rows.map(viewOf), pagination };
}

/** One account; undefined for an unknown id. */
export async function findUserRow(db: Db, id: string, at: number): Promise<AdminUserRow | undefined> {
  const row = await findUserOverview(db, id, at);
  return row === undefined ? undefined : viewOf(row);
}

function viewOf(row: UserOverview): AdminUserRow {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    createdAt: new Date(row.created_at).toISOString(),
    confirmed: row.email_verified === 1,
    blocked: row.blocked_at !== null,
    superuser: row.is_superuser === 1,
    premium: Boolean(row.premium),
    lastSeenAt: row.last_seen === null ? null : new Date(Number(row.last_seen)).toISOString(),
    minutesThisMonth: Number(row.samples ?? 0) / samplesPerMinute,
  };
}
