import { type Kysely, sql } from "kysely";

/**
 * Deleted transcriptions stay in a trash. Both indices have all columns that its list and its sweep need, because
 * columns after a row's texts are reached only by reading all of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("transcriptions").addColumn("doomed_at", "bigint").execute();
  await db.schema
    .alterTable("transcriptions")
    .addColumn("erasing", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.dropIndex("transcriptions_deleted").execute();
  await sql`create index transcriptions_deleted on transcriptions (deleted_at, erasing, doomed_at, user_id, id)
    where deleted_at is not null`.execute(db);
  await sql`create index transcriptions_trash on transcriptions (user_id, erasing, deleted_at, id, weight)
    where deleted_at is not null`.execute(db);
}
