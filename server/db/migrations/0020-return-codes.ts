import type { Kysely } from "kysely";

/** One-time codes that the page exchanges for a token after a federated sign-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("return_codes")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("return_codes_user").on("return_codes").column("user_id").execute();
}
