import type { Kysely } from "kysely";

/** Recordings to fetch from a URL. The URL is stored only until then, because it may contain secrets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("fetches")
    .addColumn("transcription_id", "text", (c) => c.primaryKey().references("transcriptions.id").onDelete("cascade"))
    .addColumn("url", "text", (c) => c.notNull())
    .execute();
}
