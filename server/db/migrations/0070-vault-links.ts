import type { Kysely } from "kysely";

/** Read-only links to recordings of the vault. The server never has the key that decrypts their content. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("vault_links")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("item_id", "text", (c) => c.notNull().references("vault_items.id").onDelete("cascade"))
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("sealed", "text", (c) => c.notNull())
    .addColumn("audio", "integer", (c) => c.notNull())
    .addColumn("has_text", "integer", (c) => c.notNull())
    .addColumn("locked", "integer", (c) => c.notNull())
    .addColumn("views", "integer", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint")
    .execute();
  await db.schema.createIndex("vault_links_of_item").on("vault_links").column("item_id").execute();
  await db.schema.createIndex("vault_links_of_user").on("vault_links").column("user_id").execute();
  await db.schema.createIndex("vault_links_by_end").on("vault_links").column("expires_at").execute();
}
