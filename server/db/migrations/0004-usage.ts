import type { Kysely } from "kysely";

/** Recognised audio per user and month. It outlives the transcriptions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("usage")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("month", "text", (c) => c.notNull())
    .addColumn("samples", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("usage_pk", ["user_id", "source"])
    .execute();
  await db.schema.createIndex("usage_month").on("usage").columns(["user_id", "month"]).execute();
}
