import { openDb } from "#server/db/open.ts";
import { openTableQueue } from "#server/jobs/table-queue.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { describeQueue } from "./queue-suite.ts";

const open = async () => {
  const db = await openDb(await temporaryFolder());
  return { db, queue: await openTableQueue(db, 0), silence: async () => {}, close: () => db.destroy() };
};

describeQueue("one machine", open);
