import type { Kysely } from "kysely";

/** Providers' accounts that wait for the password of the account they are to open, and when a session was last confirmed at a provider. */
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
