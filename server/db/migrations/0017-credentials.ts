import type { Kysely } from "kysely";

/** The session that requested a change of address survives it; pending registrations are separate from accounts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("account_tokens").addColumn("session_id", "text").execute();
  await db.schema
    .createTable("registrations")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("password_hash", "text", (c) => c.notNull())
    .addColumn("language", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("registrations_email").on("registrations").columns(["email", "created_at"]).execute();
  await db.schema
    .createTable("registration_links")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("registration_links_email").on("registration_links").column("email").execute();
}
