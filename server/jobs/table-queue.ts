import type { Db } from "#server/db/open.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { claimNext, expireLeases } from "./claim-queries.ts";
import { rankArrived } from "./fairness-queries.ts";
import type { JobQueue } from "./queue.ts";

/** The queue of the embedded database, which one process uses: it takes the rows itself. @param now epoch ms */
export async function openTableQueue(db: Db, now: number): Promise<JobQueue> {
  await expireLeases(db, now);
  return {
    claim: async (claim) => {
      const job = await inTransaction(db, async (t) => {
        await rankArrived(t);
        return claimNext(t, claim);
      });
      return job && { job, keep: async () => {}, settle: async () => {} };
    },
    close: async () => {},
  };
}
