import { type Kysely, sql } from "kysely";

/**
 * A person has one open payment page at the provider. Before, several test payments created several subscriptions, each
 * renewed indefinitely: the newest one stays, because it was the one that was shown.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("checkouts")
    .addColumn("user_id", "text", (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("session_id", "text", (c) => c.notNull())
    .addColumn("terms", "text", (c) => c.notNull())
    .addColumn("made_at", "bigint", (c) => c.notNull())
    .execute();
  await sql`
    update subscriptions set status = 'canceled'
    where provider = 'test' and status in ('active', 'trialing', 'past_due') and exists (
      select 1 from subscriptions newer
      where newer.user_id = subscriptions.user_id and newer.provider = 'test'
        and newer.status in ('active', 'trialing', 'past_due')
        and (newer.created_at > subscriptions.created_at or (newer.created_at = subscriptions.created_at and newer.id > subscriptions.id))
    )`.execute(db);
}
