import type { Kysely } from "kysely";

/** A job's log lines can be traced to the request that created it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("jobs").addColumn("request_id", "text").execute();
}
