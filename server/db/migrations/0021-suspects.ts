import type { Kysely } from "kysely";

/** Jobs that were running when their process died: each is retried in isolation before it returns to the others. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("jobs")
    .addColumn("suspect", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
