import type { VocabularyAnswer } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";

/** A person's vocabulary as it was written; empty before it is. */
export async function findVocabulary(db: Db, userId: string): Promise<VocabularyAnswer> {
  const row = await db.selectFrom("vocabularies").select(["text", "revision"]).where("user_id", "=", userId).executeTakeFirst();
  return row ?? { text: "", revision: 0 };
}

/** @returns undefined when it has another revision by now */
export async function replaceVocabulary(
  db: Db,
  userId: string,
  { text, revision }: VocabularyAnswer,
): Promise<VocabularyAnswer | undefined> {
  const next = { text, revision: revision + 1 };
  const written =
    revision === 0
      ? await db
          .insertInto("vocabularies")
          .values({ user_id: userId, ...next })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst()
      : await db
          .updateTable("vocabularies")
          .set(next)
          .where((eb) => eb.and({ user_id: userId, revision }))
          .executeTakeFirst();
  const count = "numUpdatedRows" in written ? written.numUpdatedRows : (written.numInsertedOrUpdatedRows ?? 0n);
  return count > 0n ? next : undefined;
}
