import type { Kysely } from "kysely";

/** Sound tracks: which one a text is of, whether it has holes, and which one a job recognizes instead, in which language. */
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
