import type { Db } from "#server/db/open.ts";

/** The ids of a person's transcriptions that are not deleted, the oldest first. */
export async function ownTranscriptionIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("transcriptions")
    .select("id")
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .orderBy("date")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** A person's rows in small tables, by table. */
export async function smallRowsOf(db: Db, userId: string) {
  const usage = await db.selectFrom("usage").select(["month", "samples"]).where("user_id", "=", userId).execute();
  const written = await db.selectFrom("inbox").select(["created_at", "rating", "text"]).where("user_id", "=", userId).execute();
  const done = await db
    .selectFrom("audit_log")
    .select(["at", "action", "before", "after", "reason"])
    .where("user_id", "=", userId)
    .orderBy("at")
    .execute();
  const vocabulary = await db.selectFrom("vocabularies").select("text").where("user_id", "=", userId).executeTakeFirst();
  return { vocabulary: vocabulary?.text ?? "", usage, feedback: written, administration: done };
}
