import type { Kysely } from "kysely";

/** Provider accounts waiting to be linked by the account's password, and when a provider last confirmed a session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("pending_links")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("issuer", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("pending_links_user").on("pending_links").column("user_id").execute();
  await db.schema.alterTable("sessions").addColumn("confirmed_at", "bigint").execute();
}
