import type { Kysely } from "kysely";

/** What summaries of a folder's transcripts look at unless another template is chosen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("folders").addColumn("insight_template", "text").execute();
}
