import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { WatchedFileTable } from "#server/db/schema.ts";

export type WatchedFile = Selectable<WatchedFileTable>;

/** What is known of the files in the folder, by path. */
export async function listWatchedFiles(db: Db): Promise<Map<string, WatchedFile>> {
  const rows = await db.selectFrom("watched_files").selectAll().execute();
  return new Map(rows.map((row) => [row.path, row]));
}

/** A new file, or another version of a known one. */
export async function putWatchedFile(db: Db, row: WatchedFile): Promise<void> {
  const { path: _, ...rest } = row;
  await db
    .insertInto("watched_files")
    .values(row)
    .onConflict((conflict) => conflict.column("path").doUpdateSet(rest))
    .execute();
}

export async function changeWatchedFile(
  db: Db,
  path: string,
  change: Partial<Pick<WatchedFile, "state" | "results">>,
): Promise<void> {
  await db.updateTable("watched_files").set(change).where("path", "=", path).execute();
}
