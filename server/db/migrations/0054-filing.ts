import type { Kysely } from "kysely";

/**
 * Folders, tags and favorites. They have separate tables, because a change of a transcription's row rewrites all of its
 * texts, and deleting a folder changes all transcriptions in it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("users")
    .addColumn("filing_revision", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await named(db, "folders").execute();
  await named(db, "tags")
    .addColumn("colour", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("folders_by_name").on("folders").columns(["user_id", "name_key"]).unique().execute();
  await db.schema.createIndex("tags_by_name").on("tags").columns(["user_id", "name_key"]).unique().execute();
  await db.schema
    .createTable("filings")
    .addColumn("transcription_id", "text", (c) => c.primaryKey().references("transcriptions.id").onDelete("cascade"))
    .addColumn("folder_id", "text", (c) => c.references("folders.id").onDelete("set null"))
    .addColumn("favourite", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex("filings_by_folder").on("filings").column("folder_id").execute();
  await db.schema
    .createTable("transcription_tags")
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("tag_id", "text", (c) => c.notNull().references("tags.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("transcription_tags_key", ["transcription_id", "tag_id"])
    .execute();
  await db.schema.createIndex("transcription_tags_by_tag").on("transcription_tags").column("tag_id").execute();
}

function named(db: Kysely<unknown>, table: string) {
  return db.schema
    .createTable(table)
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("name_key", "text", (c) => c.notNull());
}
