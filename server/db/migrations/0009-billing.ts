import type { Kysely } from "kysely";

/** The payment provider of a subscription, payments, and webhook events already processed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const name of ["provider", "customer_id", "external_id"]) {
    await db.schema.alterTable("subscriptions").addColumn(name, "text").execute();
  }
  await db.schema
    .alterTable("subscriptions")
    .addColumn("synced_at", "bigint", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex("subscriptions_external")
    .unique()
    .on("subscriptions")
    .columns(["provider", "external_id"])
    .execute();
  await db.schema
    .createTable("invoices")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("subscription_id", "text", (c) => c.notNull())
    .addColumn("amount", "integer", (c) => c.notNull())
    .addColumn("currency", "text", (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("invoices_user").on("invoices").columns(["user_id", "created_at"]).execute();
  await db.schema
    .createTable("billing_pages")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("interval", "text", (c) => c.notNull())
    .addColumn("page", "text", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("done", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("billing_events")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("received_at", "bigint", (c) => c.notNull())
    .execute();
}
