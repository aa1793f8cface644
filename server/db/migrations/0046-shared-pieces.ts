import type { Kysely } from "kysely";

/** Data that a worker needs for a piece of another worker's job: how to recognize it, and whether it may. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("jobs").addColumn("heard_as", "text").execute();
  await db.schema
    .alterTable("pieces")
    .addColumn("reserved", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
