import type { Kysely } from "kysely";

/** Scheduled posting: the time of the next run, and the results of earlier ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("blog_schedule")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("expression", "text", (c) => c.notNull())
    .addColumn("next_at", "bigint")
    .addColumn("skip_at", "bigint")
    .addColumn("posted", "integer", (c) => c.notNull())
    .addColumn("skipped", "integer", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("blog_runs")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("origin", "text", (c) => c.notNull())
    .addColumn("due_at", "bigint", (c) => c.notNull())
    .addColumn("started_at", "bigint", (c) => c.notNull())
    .addColumn("finished_at", "bigint")
    .addColumn("outcome", "text", (c) => c.notNull())
    .addColumn("reason", "text")
    .addColumn("message", "text")
    .addColumn("post_id", "text")
    .addColumn("post_slug", "text")
    .addColumn("post_title", "text")
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("lease_until", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("blog_runs_newest").on("blog_runs").columns(["started_at"]).execute();
  await db.schema.createIndex("blog_runs_outcome").on("blog_runs").columns(["outcome"]).execute();
}
