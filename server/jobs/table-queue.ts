import type { Db } from "#server/db/open.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { claimJob } from "./claim-queries.ts";
import type { JobQueue } from "./queue.ts";
import { lineUp } from "./turn-queries.ts";

/** The queue of one machine: workers take the rows themselves. @param isShared whether there may be several */
export function createTableQueue(db: Db, isShared = false): JobQueue {
  return {
    isShared,
    claim: (claim) =>
      inTransaction(db, async (t) => {
        if (claim.takes !== "suspects") await lineUp(t);
        return claimJob(t, claim);
      }),
    keep: async () => {},
    settle: async () => {},
    close: async () => {},
  };
}
