import type { Kysely } from "kysely";

/** Accounts with federated sign-in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("users")
    .addColumn("email_verified", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("identities")
    .addColumn("issuer", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("identities_pk", ["issuer", "subject"])
    .execute();
  await db.schema.createIndex("identities_user").on("identities").column("user_id").execute();
}
