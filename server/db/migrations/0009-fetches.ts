import type { Kysely } from "kysely";

/** Recordings that are to be fetched from somewhere else. The address is kept until that is done, no longer: it may hold secrets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("fetches")
    .addColumn("transcription_id", "text", (c) => c.primaryKey().references("transcriptions.id").onDelete("cascade"))
    .addColumn("url", "text", (c) => c.notNull())
    .execute();
}
