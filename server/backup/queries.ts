import type { Insertable, Selectable, Updateable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { BackupTable } from "./tables.ts";

export type BackupRow = Selectable<BackupTable>;

/** The newest first. */
export function listRuns(db: Db): Promise<BackupRow[]> {
  return db.selectFrom("backups").selectAll().orderBy("started_at", "desc").orderBy("id").execute();
}

export async function insertRun(t: Db, row: Insertable<BackupTable>): Promise<void> {
  await t.insertInto("backups").values(row).execute();
}

export function findRun(db: Db, id: string): Promise<BackupRow | undefined> {
  return db.selectFrom("backups").selectAll().where("id", "=", id).executeTakeFirst();
}

export function findRunning(t: Db): Promise<BackupRow | undefined> {
  return t.selectFrom("backups").selectAll().where("outcome", "=", "running").orderBy("started_at", "desc").executeTakeFirst();
}

export function findDue(t: Db, dueAt: number): Promise<BackupRow | undefined> {
  return t.selectFrom("backups").selectAll().where("due_at", "=", dueAt).executeTakeFirst();
}

/** Changes a running backup; finished ones don't change. */
export async function changeRunning(db: Db, id: string, change: Updateable<BackupTable>): Promise<void> {
  await db.updateTable("backups").set(change).where("id", "=", id).where("outcome", "=", "running").execute();
}

export async function endRunning(t: Db, change: Updateable<BackupTable>): Promise<void> {
  await t.updateTable("backups").set(change).where("outcome", "=", "running").execute();
}

/** Deletes the rows of a folder's finished backups whose files are gone. */
export async function deleteFinishedBackups(
  t: Db,
  { host, folder, names }: { host: string; folder: string; names: readonly string[] },
) {
  if (names.length === 0) return;
  await t
    .deleteFrom("backups")
    .where("outcome", "=", "made")
    .where("host", "=", host)
    .where("folder", "=", folder)
    .where("name", "in", names)
    .execute();
}

/** Deletes the rows of backups that failed before a time. */
export async function deleteFailedBefore(t: Db, time: number): Promise<void> {
  await t.deleteFrom("backups").where("outcome", "=", "failed").where("started_at", "<", time).execute();
}
