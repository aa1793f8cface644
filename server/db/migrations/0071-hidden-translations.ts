import type { Kysely } from "kysely";

/** Translations that are not shown, as another language or none is chosen: no corrected one gets lost. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("transcriptions")
    .addColumn("hidden_translations", "text", (c) => c.notNull().defaultTo("{}"))
    .execute();
}
