import type { Selectable, Updateable } from "kysely";
import { noteChange } from "#server/db/changes.ts";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { SharedLinkTable } from "./tables.ts";

export type SharedLinkRow = Selectable<SharedLinkTable>;

/** The tables of links: to transcripts, and to recordings in the vault. */
type LinkTable = "shared_links" | "vault_links";

/** Whether a link has ended. @param now epoch ms */
export const hasEnded = ({ expires_at }: Pick<SharedLinkRow, "expires_at">, now: number): boolean =>
  expires_at !== null && expires_at <= now;

/**
 * A working link: it has not ended, its transcription is not deleted, and its owner's account is not blocked. @param
 * now epoch ms
 */
export async function findWorkingLink(db: Db, id: string, now: number): Promise<SharedLinkRow | undefined> {
  const row = await db
    .selectFrom("shared_links")
    .innerJoin("transcriptions", "transcriptions.id", "shared_links.transcription_id")
    .innerJoin("users", "users.id", "shared_links.user_id")
    .selectAll("shared_links")
    .where("shared_links.id", "=", id)
    .where("transcriptions.deleted_at", "is", null)
    .where("users.blocked_at", "is", null)
    .executeTakeFirst();
  return row === undefined || hasEnded(row, now) ? undefined : row;
}

/** The links to one of this user's transcriptions, the newest first. */
export function listLinks(db: Db, userId: string, transcriptionId: string): Promise<SharedLinkRow[]> {
  return db
    .selectFrom("shared_links")
    .selectAll()
    .where((eb) => eb.and({ transcription_id: transcriptionId, user_id: userId }))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** @returns undefined when this user's transcription has no link with this id */
export function findOwnLink(db: Db, { id, userId, transcriptionId }: Owned): Promise<SharedLinkRow | undefined> {
  return db
    .selectFrom("shared_links")
    .selectAll()
    .where((eb) => eb.and({ id, user_id: userId, transcription_id: transcriptionId }))
    .executeTakeFirst();
}

/** @param row times in epoch ms */
export async function insertLink(t: Db, row: SharedLinkRow): Promise<void> {
  await t.insertInto("shared_links").values(row).execute();
}

interface Owned {
  id: string;
  userId: string;
  transcriptionId: string;
}

/** @returns the link afterwards; undefined when this user's transcription has no link with this id */
export async function changeLink(
  t: Db,
  { id, userId, transcriptionId }: Owned,
  change: Updateable<SharedLinkTable>,
): Promise<SharedLinkRow | undefined> {
  noteChange(t, "rights.ended");
  // A statement needs something to set, so an unchanged link sets its id.
  return t
    .updateTable("shared_links")
    .set({ ...change, id })
    .where((eb) => eb.and({ id, user_id: userId, transcription_id: transcriptionId }))
    .returningAll()
    .executeTakeFirst();
}

/** @returns whether there was a link */
export async function deleteLink(db: Db, { id, userId, transcriptionId }: Owned): Promise<boolean> {
  const isGone = await affectsAny(
    db.deleteFrom("shared_links").where((eb) => eb.and({ id, user_id: userId, transcription_id: transcriptionId })),
  );
  noteChange(db, "rights.ended");
  return isGone;
}

/** Counts one more opening of the link's page. */
export async function countView(db: Db, table: LinkTable, id: string): Promise<void> {
  await db
    .updateTable(table)
    .set(({ eb }) => ({ views: eb("views", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** @param by epoch ms */
export async function deleteLinksEndedBy(db: Db, table: LinkTable, by: number): Promise<void> {
  await db.deleteFrom(table).where("expires_at", "<=", by).execute();
}
