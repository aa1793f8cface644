import type { Kysely } from "kysely";

/** What a job writes to the log can be followed back to the request that it comes from. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("jobs").addColumn("request_id", "text").execute();
}
