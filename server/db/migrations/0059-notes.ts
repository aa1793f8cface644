import type { Kysely } from "kysely";

/** People's notes on passages of their transcriptions: a time range each, with a color, text, or both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("notes")
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("id", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("starts_at", "double precision", (c) => c.notNull())
    .addColumn("ends_at", "double precision", (c) => c.notNull())
    .addColumn("colour", "text")
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("revision", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("notes_key", ["transcription_id", "id"])
    .execute();
  await db.schema.createIndex("notes_of_user").on("notes").column("user_id").execute();
}
