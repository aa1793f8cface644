import { type Kysely, sql } from "kysely";

/** Data that several processes share: their list, their claims, and the keys that sign tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("processes")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("seen_at", "integer", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("claims")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("key", "text", (column) => column.notNull())
    .addColumn("process", "text", (column) => column.notNull().references("processes.id").onDelete("cascade"))
    .addColumn("amount", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("claims_by_key").on("claims").columns(["key"]).execute();
  await db.schema.createIndex("claims_by_process").on("claims").columns(["process"]).execute();
  await db.schema
    .createTable("signing_keys")
    .addColumn("position", "integer", (column) => column.primaryKey().check(sql`position > 0`))
    .addColumn("secret", "text", (column) => column.notNull())
    .addColumn("made_at", "integer", (column) => column.notNull())
    .execute();
}
