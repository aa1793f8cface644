import type { Kysely } from "kysely";

/** What an account signs its known devices with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("device_keys")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("key", "text", (c) => c.notNull())
    .execute();
}
