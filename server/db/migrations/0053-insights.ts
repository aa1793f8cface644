import type { Kysely } from "kysely";

/** Results of language models for transcripts, and people's templates for summaries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("insights")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("template", "text")
    .addColumn("question", "text")
    .addColumn("points", "text", (c) => c.notNull())
    .addColumn("omitted", "integer", (c) => c.notNull())
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("text_hash", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("insights_of_transcription").on("insights").column("transcription_id").execute();
  await db.schema.createIndex("insights_of_user").on("insights").column("user_id").execute();
  await db.schema
    .createTable("insight_templates")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("prompt", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("insight_templates_of_user").on("insight_templates").column("user_id").execute();
}
