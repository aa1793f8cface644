import type { DbParts } from "#server/db/open.ts";
import { deleteExpiredChallenges } from "./queries.ts";

/** Deletes challenges that no authenticator has answered in time. @param now epoch ms */
export async function deletePastChallenges({ db, now }: DbParts): Promise<void> {
  await deleteExpiredChallenges(db, now());
}
