import type { Db } from "./open.ts";

/** Runs in the transaction that is open, or in one of its own. */
export function inTransaction<Result>(db: Db, work: (t: Db) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
