import { endedLinkDays } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { deleteLinksEndedBy } from "./queries.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes links some time after their end. Until then, the owner sees why a link does not open. @param now epoch ms */
export async function deleteEndedLinks({ db, now }: { db: Db; now: () => number }): Promise<void> {
  const by = now() - endedLinkDays * dayMs;
  await deleteLinksEndedBy(db, "shared_links", by);
  await deleteLinksEndedBy(db, "vault_links", by);
}
