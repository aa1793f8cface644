import type { Db } from "#server/db/open.ts";
import { deleteOffersEndedBy } from "./queries.ts";

/** Forgets offers that nobody has accepted in time, with the addresses that they were made to. @param now epoch ms */
export async function deleteEndedOffers({ db, now }: { db: Db; now: () => number }): Promise<void> {
  await deleteOffersEndedBy(db, now());
}
