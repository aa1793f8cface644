import type { Kysely } from "kysely";

/** Resumable uploads, and the options of an upload. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("uploads")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("client_id", "text", (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("fields", "text", (c) => c.notNull())
    .addColumn("file_name", "text", (c) => c.notNull())
    .addColumn("file_type", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("uploads_client", ["user_id", "client_id"])
    .execute();
  await db.schema.createIndex("uploads_created").on("uploads").column("created_at").execute();
  await db.schema.alterTable("transcriptions").addColumn("vocabulary", "text").execute();
  await db.schema
    .alterTable("transcriptions")
    .addColumn("speakers", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
