import type { Kysely } from "kysely";

/** Encrypted audio: a vault per user, and its items. Nothing in these tables can be read without the vault's key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("vaults")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("recipient", "text", (c) => c.notNull())
    .addColumn("sealed", "text", (c) => c.notNull())
    .addColumn("recovery_sealed", "text", (c) => c.notNull())
    .addColumn("revision", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("vault_items")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("vaults.user_id").onDelete("cascade"))
    .addColumn("client_id", "text", (c) => c.notNull())
    .addColumn("transcription_id", "text")
    .addColumn("meta", "text", (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .addColumn("received", "bigint", (c) => c.notNull().defaultTo(0))
    .addColumn("has_text", "integer", (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("touched_at", "bigint", (c) => c.notNull())
    .addColumn("arrived_at", "bigint")
    .addUniqueConstraint("vault_items_client", ["user_id", "client_id"])
    .execute();
  await db.schema.createIndex("vault_items_unfinished").on("vault_items").columns(["arrived_at", "touched_at"]).execute();
}
