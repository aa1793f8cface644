import { openDb } from "#server/db/open.ts";
import { createTableQueue } from "#server/jobs/table-queue.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { describePieces } from "./pieces-suite.ts";
import { describeQueue } from "./queue-suite.ts";

const open = async () => {
  const db = await openDb(await temporaryFolder());
  return { db, queue: createTableQueue(db), close: () => db.destroy() };
};

describeQueue("one machine", open);
describePieces("one machine", open);
