import type { Kysely } from "kysely";

/**
 * Audio tracks: the track of a text, whether the text has gaps, and the track and language that a job recognizes
 * instead.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("transcriptions").addColumn("tracks", "text").execute();
  await db.schema.alterTable("transcriptions").addColumn("track", "integer").execute();
  await db.schema.alterTable("jobs").addColumn("track", "integer").execute();
  for (const table of ["transcriptions", "jobs"]) {
    await db.schema
      .alterTable(table)
      .addColumn("holes", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
  }
  await db.schema.alterTable("jobs").addColumn("source_language", "text").execute();
}
