import type { Kysely } from "kysely";

/** People's choices of e-mails about finished transcriptions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("notice_settings")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("completed", "integer", (c) => c.notNull())
    .addColumn("failed", "integer", (c) => c.notNull())
    .execute();
}
