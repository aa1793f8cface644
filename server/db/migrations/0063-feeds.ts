import type { Kysely } from "kysely";

/** Feeds that people follow, and which of their episodes are known. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("feeds")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("source_language", "text", (c) => c.notNull())
    .addColumn("target_language", "text")
    .addColumn("folder_id", "text", (c) => c.references("folders.id").onDelete("set null"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("paused_at", "bigint")
    .addColumn("pause_reason", "text")
    .addColumn("etag", "text")
    .addColumn("last_modified", "text")
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("failing_since", "bigint")
    .addColumn("error", "text")
    .addColumn("looked_at", "bigint")
    .addColumn("next_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("feeds_of_user").unique().on("feeds").columns(["user_id", "url"]).execute();
  await db.schema.createIndex("feeds_of_folder").on("feeds").column("folder_id").execute();
  await db.schema.createIndex("feeds_due").on("feeds").column("next_at").execute();
  await db.schema
    .createTable("feed_episodes")
    .addColumn("feed_id", "text", (c) => c.notNull().references("feeds.id").onDelete("cascade"))
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("seconds", "integer")
    .addColumn("published_at", "bigint", (c) => c.notNull())
    .addColumn("found_at", "bigint", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("reason", "text")
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("next_at", "bigint", (c) => c.notNull())
    .addColumn("transcription_id", "text", (c) => c.references("transcriptions.id").onDelete("set null"))
    .addPrimaryKeyConstraint("feed_episodes_key", ["feed_id", "key"])
    .execute();
  await db.schema.createIndex("feed_episodes_due").on("feed_episodes").columns(["state", "next_at"]).execute();
  await db.schema.createIndex("feed_episodes_of_user").on("feed_episodes").column("user_id").execute();
  await db.schema.createIndex("feed_episodes_of_transcription").on("feed_episodes").column("transcription_id").execute();
}
