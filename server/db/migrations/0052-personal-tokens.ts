import type { Kysely } from "kysely";

/** Personal access tokens of programs, as hashes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("personal_tokens")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("hash", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("scopes", "text", (column) => column.notNull())
    .addColumn("created_at", "integer", (column) => column.notNull())
    .addColumn("expires_at", "integer", (column) => column.notNull())
    .addColumn("used_at", "integer")
    .execute();
  await db.schema.createIndex("personal_tokens_by_user").on("personal_tokens").columns(["user_id"]).execute();
  await db.schema.createIndex("personal_tokens_by_end").on("personal_tokens").columns(["expires_at"]).execute();
}
