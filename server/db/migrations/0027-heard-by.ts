import type { Kysely } from "kysely";

/** The recognizer of a recording: an engine of the server, or the browser's own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("recordings").addColumn("heard_by", "text").execute();
}
