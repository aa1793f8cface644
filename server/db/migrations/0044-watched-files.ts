import type { Kysely } from "kysely";

/** The files of the watched folder, and their progress. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("watched_files")
    .addColumn("path", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("size", "bigint", (column) => column.notNull())
    .addColumn("modified_at", "integer", (column) => column.notNull())
    .addColumn("transcription_id", "text")
    .addColumn("results", "text")
    .addColumn("state", "text", (column) => column.notNull())
    .addColumn("found_at", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("watched_files_by_user").on("watched_files").columns(["user_id"]).execute();
}
