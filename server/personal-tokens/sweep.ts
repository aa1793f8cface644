import type { DbParts } from "#server/db/open.ts";
import { deletePersonalTokensExpiredBy } from "./queries.ts";

/** The ms for which the settings show an expired token, to explain why a program has stopped. */
const shownExpiredMs = 30 * 24 * 60 * 60 * 1000;

/** Deletes tokens some time after they have expired. @param now epoch ms */
export async function deleteExpiredPersonalTokens({ db, now }: DbParts): Promise<void> {
  await deletePersonalTokensExpiredBy(db, now() - shownExpiredMs);
}
