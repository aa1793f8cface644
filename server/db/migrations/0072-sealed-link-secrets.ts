import type { Kysely } from "kysely";

/**
 * A link's secret, encrypted (session/sealing.ts), so that its owner can copy it again; null for links of earlier
 * releases.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("shared_links").addColumn("sealed_secret", "text").execute();
}
