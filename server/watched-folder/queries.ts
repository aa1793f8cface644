import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { TranscriptionRow } from "#server/transcription/queries.ts";
import type { WatchedFileTable } from "./tables.ts";

export type WatchedFile = Selectable<WatchedFileTable>;

export interface KnownFile extends WatchedFile {
  /** Status of its transcription, while results are due or may come; null: the user does not have it (any more). */
  status: TranscriptionRow["status"] | null;
}

/** The known files in the folder, by path. @param userId whose transcriptions are read */
export async function listWatchedFiles(db: Db, userId: string): Promise<Map<string, KnownFile>> {
  const rows = await db
    .selectFrom("watched_files")
    .leftJoin("transcriptions", (join) =>
      join
        .onRef("transcriptions.id", "=", "watched_files.transcription_id")
        .on("transcriptions.user_id", "=", userId)
        .on("transcriptions.deleted_at", "is", null)
        // The status of other files is not needed, and in a folder used for long these are most.
        .on("watched_files.state", "in", ["taken", "failed"]),
    )
    .selectAll("watched_files")
    .select("transcriptions.status")
    .execute();
  return new Map(rows.map((row) => [row.path, row]));
}

/** Stores a new file, or another version of a known one. */
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
