import type { Kysely } from "kysely";

/** When an operator has blocked an account (epoch ms); null: it is open. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("users").addColumn("blocked_at", "bigint").execute();
}
