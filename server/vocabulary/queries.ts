import type { InsertResult, UpdateResult } from "kysely";
import type { VocabularyAnswer } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { inTransaction } from "#server/db/transaction.ts";

/** A user's vocabulary as written; empty before it exists. */
export async function findVocabulary(db: Db, userId: string): Promise<VocabularyAnswer> {
  const row = await db.selectFrom("vocabularies").select(["text", "revision"]).where("user_id", "=", userId).executeTakeFirst();
  return row ?? { text: "", revision: 0 };
}

/** @returns undefined when its revision has changed */
export async function replaceVocabulary(
  db: Db,
  userId: string,
  { text, revision }: VocabularyAnswer,
): Promise<VocabularyAnswer | undefined> {
  const next = { text, revision: revision + 1 };
  const written = await inTransaction(
    db,
    (t): Promise<InsertResult | UpdateResult> =>
      revision === 0
        ? t
            .insertInto("vocabularies")
            .values({ user_id: userId, ...next })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
        : t
            .updateTable("vocabularies")
            .set(next)
            .where((eb) => eb.and({ user_id: userId, revision }))
            .executeTakeFirst(),
  );
  const count = "numUpdatedRows" in written ? written.numUpdatedRows : (written.numInsertedOrUpdatedRows ?? 0n);
  return count > 0n ? next : undefined;
}
