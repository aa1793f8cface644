import type { Kysely } from "kysely";

/** Addresses that are notified when a transcription has ended, and the state of each message. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("endings")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("transcription_id", "text", (c) => c.notNull().references("transcriptions.id").onDelete("cascade"))
    .addColumn("event", "text", (c) => c.notNull())
    .addColumn("data", "text", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("endings_of_user").on("endings").column("user_id").execute();
  await db.schema.createIndex("endings_of_transcription").on("endings").column("transcription_id").execute();
  await db.schema
    .createTable("webhooks")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("events", "text", (c) => c.notNull())
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("paused_at", "bigint")
    .addColumn("pause_reason", "text")
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("failing_since", "bigint")
    .execute();
  await db.schema.createIndex("webhooks_of_user").on("webhooks").column("user_id").execute();
  await db.schema
    .createTable("webhook_deliveries")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("webhook_id", "text", (c) => c.notNull().references("webhooks.id").onDelete("cascade"))
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("event", "text", (c) => c.notNull())
    .addColumn("data", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("attempts", "integer", (c) => c.notNull())
    .addColumn("next_at", "bigint", (c) => c.notNull())
    .addColumn("attempted_at", "bigint")
    .addColumn("status", "integer")
    .addColumn("answer", "text", (c) => c.notNull())
    .addColumn("error", "text")
    .execute();
  await db.schema.createIndex("webhook_deliveries_due").on("webhook_deliveries").columns(["state", "next_at"]).execute();
  await db.schema
    .createIndex("webhook_deliveries_of_webhook")
    .on("webhook_deliveries")
    .columns(["webhook_id", "created_at"])
    .execute();
  await db.schema.createIndex("webhook_deliveries_of_user").on("webhook_deliveries").column("user_id").execute();
  await db.schema.createIndex("webhook_deliveries_by_age").on("webhook_deliveries").column("created_at").execute();
}
