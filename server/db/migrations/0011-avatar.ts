import type { Kysely } from "kysely";

/** A user's avatar: its unguessable file name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("users").addColumn("avatar", "text").execute();
}
