import type { Kysely } from "kysely";

/** The network of a reaction, as a hash that is deleted when its day is over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("blog_reactions").addColumn("network", "text").execute();
  await db.schema.createIndex("blog_reactions_network").on("blog_reactions").columns(["network", "post_id"]).execute();
}
