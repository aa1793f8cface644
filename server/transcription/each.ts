import type { BatchAnswer, ErrorCode } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";

/** Number changed in one transaction: it takes a few milliseconds, and others can run between two. */
const atOnce = 25;

/** The change of one of them, in a transaction. */
type Change = (t: Db, id: string) => Promise<"done" | ErrorCode>;

/**
 * Changes each of them, in portions. A failure of one does not stop the others.
 * @param begin runs before each portion, in its transaction; an error of it ends everything
 */
export async function changeEach(
  db: Db,
  ids: readonly string[],
  one: Change,
  begin: (t: Db) => Promise<void> = async () => {},
): Promise<BatchAnswer> {
  const answer: BatchAnswer = { done: [], failed: [] };
  const left = [...new Set(ids)];
  while (left.length > 0) {
    const portion = left.splice(0, atOnce);
    const outcomes = await db.transaction().execute(async (t) => {
      await begin(t);
      const all: [id: string, outcome: "done" | ErrorCode][] = [];
      for (const id of portion) all.push([id, await one(t, id)]);
      return all;
    });
    for (const [id, code] of outcomes) {
      if (code === "done") answer.done.push(id);
      else answer.failed.push({ id, code });
    }
  }
  return answer;
}
