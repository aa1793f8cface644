import type { Kysely } from "kysely";

/** The number of days after which audio and text are deleted, by folder, and the notes of the sweep. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("retention_rules")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("folder_id", "text", (c) => c.references("folders.id").onDelete("cascade"))
    .addColumn("audio_days", "integer")
    .addColumn("text_days", "integer")
    .execute();
  await db.schema.createIndex("retention_rules_of_user").on("retention_rules").columns(["user_id", "folder_id"]).execute();
  await db.schema.createIndex("retention_rules_of_folder").on("retention_rules").column("folder_id").execute();
  await db.schema
    .createTable("retention_notes")
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("what", "text", (c) => c.notNull())
    .addColumn("noted_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("retention_notes_key", ["transcription_id", "what"])
    .execute();
}
