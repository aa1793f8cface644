import type { Db } from "./open.ts";

export function inTransaction<Result>(db: Db, work: (t: Db) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}
