import { type Kysely, sql } from "kysely";

/** The admin panel's daily metrics and audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("usage").addColumn("day", "text").execute();
  await db.schema.createIndex("usage_day").on("usage").columns(["day", "samples"]).execute();
  await db.schema.createIndex("usage_whole_month").on("usage").columns(["month", "samples"]).execute();
  await db.schema
    .createTable("metric_days")
    .addColumn("day", "text", (c) => c.notNull())
    .addColumn("metric", "text", (c) => c.notNull())
    .addColumn("value", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("metric_days_key", ["metric", "day"])
    .execute();
  await db.schema
    .createTable("audit_log")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    // No foreign keys: the log outlives the accounts.
    .addColumn("actor_id", "text", (c) => c.notNull())
    .addColumn("actor_email", "text")
    .addColumn("user_id", "text")
    .addColumn("user_email", "text")
    .addColumn("before", "text", (c) => c.notNull())
    .addColumn("after", "text", (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("audit_log_at").on("audit_log").column("at").execute();
  await db.schema.createIndex("audit_log_actor").on("audit_log").column("actor_id").execute();
  await db.schema.createIndex("audit_log_user").on("audit_log").column("user_id").execute();
  await db.schema.createIndex("users_created").on("users").column("created_at").execute();
  await db.schema.createIndex("transcriptions_failed").on("transcriptions").columns(["status", "date"]).execute();
  await countSignIns(db);
}

/** Counts recent sign-ins by their sessions; those of deleted sessions are lost. */
async function countSignIns(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ created_at: number }>`select created_at from sessions`.execute(db);
  const perDay = Map.groupBy(rows, ({ created_at }) => new Date(Number(created_at)).toISOString().slice(0, 10));
  for (const [day, those] of perDay) {
    await sql`insert into metric_days (day, metric, value) values (${day}, 'signIns', ${those.length})`.execute(db);
  }
}
