import type { Kysely } from "kysely";

/** Which sound track of several a text is of, and which one a job is to recognize instead, in which language. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("transcriptions").addColumn("tracks", "text").execute();
  await db.schema.alterTable("transcriptions").addColumn("track", "integer").execute();
  await db.schema.alterTable("jobs").addColumn("track", "integer").execute();
  await db.schema.alterTable("jobs").addColumn("source_language", "text").execute();
}
