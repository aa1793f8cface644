import type { Kysely } from "kysely";

/** Conversations: successive turns form one transcription with one audio. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("turns")
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("conversation_id", "text", (c) => c.notNull())
    .addColumn("turn_id", "text", (c) => c.notNull())
    .addColumn("date", "bigint", (c) => c.notNull())
    .addColumn("samples", "bigint", (c) => c.notNull())
    .addColumn("deleted", "integer", (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("turns_pk", ["user_id", "conversation_id", "turn_id"])
    .execute();
  await db.schema.createIndex("turns_turn").on("turns").columns(["user_id", "turn_id"]).execute();
  await db.schema
    .createTable("unsettled_audio")
    .addColumn("transcription_id", "text", (c) => c.primaryKey().references("transcriptions.id").onDelete("cascade"))
    .addColumn("replacement", "text")
    .execute();
}
