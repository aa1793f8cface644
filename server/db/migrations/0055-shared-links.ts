import type { Kysely } from "kysely";

/** Read-only links to transcriptions, by the hashes of what opens them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("shared_links")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("audio", "integer", (c) => c.notNull())
    .addColumn("translation", "integer", (c) => c.notNull())
    .addColumn("download", "integer", (c) => c.notNull())
    .addColumn("passphrase_hash", "text")
    .addColumn("lock", "text", (c) => c.notNull())
    .addColumn("views", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint")
    .execute();
  await db.schema.createIndex("shared_links_of_transcription").on("shared_links").column("transcription_id").execute();
  await db.schema.createIndex("shared_links_of_user").on("shared_links").column("user_id").execute();
  await db.schema.createIndex("shared_links_by_end").on("shared_links").column("expires_at").execute();
}
