import type { Kysely } from "kysely";

/**
 * The accounts of this server with which a person shares a transcription; before acceptance, the address of the offer.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("transcription_shares")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("owner_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("role", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint")
    .execute();
  const once = db.schema.createIndex("transcription_shares_once").on("transcription_shares");
  await once.columns(["transcription_id", "email"]).unique().execute();
  const unique = db.schema.createIndex("transcription_shares_of_user").on("transcription_shares");
  await unique.columns(["user_id", "transcription_id"]).unique().execute();
  await db.schema.createIndex("transcription_shares_by_email").on("transcription_shares").column("email").execute();
  await db.schema.createIndex("transcription_shares_by_owner").on("transcription_shares").column("owner_id").execute();
}
