import type { Kysely } from "kysely";

/** Finished and running backups, wherever their files are: /admin shows them, and they prevent two at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("backups")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("host", "text", (column) => column.notNull())
    .addColumn("folder", "text", (column) => column.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("started_at", "bigint", (column) => column.notNull())
    .addColumn("beat_at", "bigint", (column) => column.notNull())
    .addColumn("finished_at", "bigint")
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("phase", "text", (column) => column.notNull())
    .addColumn("done", "bigint", (column) => column.notNull())
    .addColumn("size", "bigint")
    .addColumn("message", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("backups_by_start").on("backups").columns(["started_at"]).execute();
  // The size of each audio file, for its owner's quota: otherwise the bucket would be asked for each.
  await db.schema
    .createTable("audio_sizes")
    .addColumn("transcription_id", "text", (column) => column.primaryKey().references("transcriptions.id").onDelete("cascade"))
    .addColumn("bytes", "bigint", (column) => column.notNull())
    .execute();
}
