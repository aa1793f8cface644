import { type Kysely, sql } from "kysely";

/**
 * Stores each transcription's size in an index, so that lists, searches and event streams read batches that don't block
 * the event loop. Columns after a row's texts are reached only by reading all of them.
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
