import type { Kysely } from "kysely";

/** A person's picture: the name of its file, which nobody can guess. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("users").addColumn("avatar", "text").execute();
}
