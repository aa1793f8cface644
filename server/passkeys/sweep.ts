import type { Db } from "#server/db/open.ts";
import { deleteExpiredChallenges } from "./queries.ts";

/** Deletes challenges that no authenticator has answered in time. @param now epoch ms */
export async function deletePastChallenges({ db, now }: { db: Db; now: () => number }): Promise<void> {
  await deleteExpiredChallenges(db, now());
}
