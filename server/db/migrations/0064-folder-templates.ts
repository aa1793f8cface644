import type { Kysely } from "kysely";

/** The default template for summaries of a folder's transcripts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("folders").addColumn("insight_template", "text").execute();
}
