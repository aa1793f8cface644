import { openDb } from "#server/db/open.ts";
import { createTableQueue } from "#server/jobs/table-queue.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { describeQueue } from "./queue-suite.ts";

describeQueue("one machine", async () => {
  const db = await openDb(await temporaryFolder());
  return { db, queue: createTableQueue(db), close: () => db.destroy() };
});
