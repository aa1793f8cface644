import type { Db } from "#server/db/open.ts";
import { deleteOffersEndedBy } from "./queries.ts";

/**
 * Deletes expired offers with their addresses.
 * @param now epoch ms
 */
export async function deleteEndedOffers({ db, now }: { db: Db; now: () => number }): Promise<void> {
  await deleteOffersEndedBy(db, now());
}
