import { type Kysely, sql } from "kysely";

/** Work that continues past the end of a month counts in each month with its share. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("usage_by_month")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("month", "text", (c) => c.notNull())
    .addColumn("samples", "bigint", (c) => c.notNull())
    .addColumn("day", "text")
    .addPrimaryKeyConstraint("usage_by_month_pk", ["user_id", "source", "month"])
    .execute();
  await sql`insert into usage_by_month (user_id, source, month, samples, day)
    select user_id, source, month, samples, day from usage`.execute(db);
  await db.schema.dropTable("usage").execute();
  await db.schema.alterTable("usage_by_month").renameTo("usage").execute();
  await db.schema.createIndex("usage_month").on("usage").columns(["user_id", "month"]).execute();
  await db.schema.createIndex("usage_day").on("usage").columns(["day", "samples"]).execute();
  await db.schema.createIndex("usage_whole_month").on("usage").columns(["month", "samples"]).execute();
}
