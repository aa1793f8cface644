import type { Kysely } from "kysely";

/** The keys that sign an account's device passes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("device_keys")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("key", "text", (c) => c.notNull())
    .execute();
}
