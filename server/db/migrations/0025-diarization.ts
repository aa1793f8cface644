import type { Kysely } from "kysely";

/** Finding out who speaks: as a step of a job, and as a job of its own for a finished transcription. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("transcriptions").addColumn("speaker_count", "integer").execute();
  await db.schema
    .alterTable("jobs")
    .addColumn("task", "text", (c) => c.notNull().defaultTo("transcribe"))
    .execute();
  await db.schema
    .alterTable("jobs")
    .addColumn("diarized", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
