import type { Kysely } from "kysely";

/** Codes of authenticator apps as a second factor, recovery codes, and sign-ins that wait for one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("second_factors")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("sealed_secret", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("enabled_at", "bigint")
    .addColumn("last_step", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("recovery_codes")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .execute();
  await db.schema.createIndex("recovery_codes_of_user").on("recovery_codes").column("user_id").execute();
  await db.schema
    .createTable("pending_sign_ins")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("method", "text", (c) => c.notNull())
    .addColumn("links", "integer", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("pending_sign_ins_of_user").on("pending_sign_ins").column("user_id").execute();
  await db.schema
    .createTable("sealing_keys")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("made_at", "bigint", (c) => c.notNull())
    .execute();
}
