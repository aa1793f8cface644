import type { Kysely } from "kysely";

/** Jobs that were under way when their process died: each of them is looked at by itself before it goes on among the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("jobs")
    .addColumn("suspect", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
