import type { Kysely } from "kysely";

/** A person's names and terms, and the replacements of misrecognized words: one text each. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("vocabularies")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("revision", "integer", (c) => c.notNull())
    .execute();
}
