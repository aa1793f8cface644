import type { DbParts } from "#server/db/open.ts";
import { deleteExpiredLinkTokens } from "./link-token-queries.ts";
import { deleteExpiredRegistrations } from "./registration-queries.ts";

/** Deletes expired links in mails and unconfirmed registrations. @param parts `now` in epoch ms */
export async function deleteExpiredAccountLinks({ db, now }: DbParts): Promise<void> {
  await deleteExpiredLinkTokens(db, now());
  await deleteExpiredRegistrations(db, now());
}
