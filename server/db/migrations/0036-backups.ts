import type { Kysely } from "kysely";

/** Backups that were made or are being made, wherever their files are: what /admin shows of them, and what keeps two apart. */
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
  // How long each audio is, for the quota of whoever it belongs to: a bucket would have to be asked for each.
  await db.schema
    .createTable("audio_sizes")
    .addColumn("transcription_id", "text", (column) => column.primaryKey().references("transcriptions.id").onDelete("cascade"))
    .addColumn("bytes", "bigint", (column) => column.notNull())
    .execute();
}
