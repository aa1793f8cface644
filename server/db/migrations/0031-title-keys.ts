import { type Kysely, sql } from "kysely";

interface Titles {
  transcriptions: { id: string; title: string; title_key: string };
}

/** The key that sorts the history by title, which the database can't compute; and the indices of two more orders. */
export async function up(db: Kysely<Titles>): Promise<void> {
  await db.schema
    .alterTable("transcriptions")
    .addColumn("title_key", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  const rows = await db.selectFrom("transcriptions").select(["id", "title"]).execute();
  for (const { id, title } of rows) {
    await db
      .updateTable("transcriptions")
      .set({ title_key: keyOf(title) })
      .where("id", "=", id)
      .execute();
  }
  await sql`create index transcriptions_titles on transcriptions (user_id, deleted_at, title_key, id, weight)`.execute(db);
  await sql`create index transcriptions_lengths on transcriptions (user_id, deleted_at, coalesce(duration_seconds, -1), id, weight)`.execute(
    db,
  );
}

/** The function as of this migration's release. */
function keyOf(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .trim();
}
