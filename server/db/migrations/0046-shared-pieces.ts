import type { Kysely } from "kysely";

/** What a worker needs to know of a piece of another's job: how it is to be heard, and whether it may hear it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("jobs").addColumn("heard_as", "text").execute();
  await db.schema
    .alterTable("pieces")
    .addColumn("reserved", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
