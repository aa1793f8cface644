import { type Kysely, sql } from "kysely";

/** The longest keys by which the history is sorted are cut: PostgreSQL's indices take no longer ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update transcriptions set title_key = substr(title_key, 1, 800) where length(title_key) > 800`.execute(db);
}
