import { deliveryDays } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { deleteDeliveriesMadeBy } from "./queries.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Deletes messages and their outcomes after a while. @param now epoch ms */
export async function deletePastDeliveries({ db, now }: { db: Db; now: () => number }): Promise<void> {
  await deleteDeliveriesMadeBy(db, now() - deliveryDays * dayMs);
}
