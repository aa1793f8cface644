import type { Kysely } from "kysely";

/** From which network a reaction has come on its day, as a hash: it is forgotten when the day is over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("blog_reactions").addColumn("network", "text").execute();
  await db.schema.createIndex("blog_reactions_network").on("blog_reactions").columns(["network", "post_id"]).execute();
}
