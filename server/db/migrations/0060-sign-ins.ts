import type { Kysely } from "kysely";

/** The time, method and browser of each sign-in from now on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("sign_ins")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("method", "text", (c) => c.notNull())
    .addColumn("device", "text")
    .execute();
  await db.schema.createIndex("sign_ins_of_user").on("sign_ins").columns(["user_id", "at"]).execute();
  await db.schema.createIndex("sign_ins_by_time").on("sign_ins").column("at").execute();
}
