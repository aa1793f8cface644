import type { Kysely } from "kysely";

/** Messages to the operator of the server, and the waiting list. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("inbox")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("client_id", "text", (c) => c.notNull().unique())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("rating", "integer")
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("language", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("handled_at", "bigint")
    .execute();
  await db.schema.createIndex("inbox_kind").on("inbox").columns(["kind", "created_at"]).execute();
  await db.schema
    .createTable("waitlist")
    .addColumn("email", "text", (c) => c.primaryKey())
    .addColumn("language", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
}
