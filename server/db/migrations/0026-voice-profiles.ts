import type { Kysely } from "kysely";

/**
 * Voice profiles for recognizing speakers again. All depends on the consent: without it the database refuses a voice
 * print, and when it ends, all of them are deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("voice_consents")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("since", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("voice_profiles")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("voice_consents.user_id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("sum", "text", (c) => c.notNull())
    .addColumn("recordings", "integer", (c) => c.notNull())
    .addColumn("created_at", "integer", (c) => c.notNull())
    .addColumn("heard_at", "integer", (c) => c.notNull())
    .addUniqueConstraint("voice_profiles_name", ["user_id", "model", "name"])
    .execute();
  await db.schema
    .createTable("voices")
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("idx", "integer", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("voice_consents.user_id").onDelete("cascade"))
    .addColumn("model", "text", (c) => c.notNull())
    .addColumn("embedding", "text")
    .addColumn("spans", "text", (c) => c.notNull())
    .addColumn("label", "text")
    .addColumn("profile_id", "text", (c) => c.references("voice_profiles.id").onDelete("set null"))
    .addColumn("named", "text")
    .addColumn("declined", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("voices_key", ["transcription_id", "idx"])
    .execute();
  await db.schema.createIndex("voices_of_user").on("voices").column("user_id").execute();
  await db.schema.createIndex("voices_of_profile").on("voices").column("profile_id").execute();
}
