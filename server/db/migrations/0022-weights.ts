import { type Kysely, sql } from "kysely";

/**
 * How much each transcription is to read is known without reading it, in the index alone: lists, searches and event streams are read in
 * portions that don't hold up others. A row has its texts in the middle, and what stands behind them is reached only through all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("transcriptions")
    .addColumn("weight", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update transcriptions set weight =
    length(text) + length(translated_text) + length(haystack) + length(segments)`.execute(db);
  await db.schema.dropIndex("transcriptions_newest").execute();
  await db.schema
    .createIndex("transcriptions_newest")
    .on("transcriptions")
    .columns(["user_id", "deleted_at", "date", "id", "weight"])
    .execute();
  await db.schema.dropIndex("transcriptions_changes").execute();
  await db.schema
    .createIndex("transcriptions_changes")
    .on("transcriptions")
    .columns(["user_id", "revision", "deleted_at", "id", "weight"])
    .execute();
}
