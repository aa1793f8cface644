import type { Db } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import type { JobQueue } from "./queue.ts";
import { createTableQueue } from "./table-queue.ts";

interface QueueParts {
  db: Db;
  log: Log;
}

/** @param databaseUrl PostgreSQL's address, where there is one: then other machines may take jobs, too */
export async function openJobQueue({ db, log }: QueueParts, databaseUrl: string | undefined): Promise<JobQueue> {
  if (databaseUrl === undefined) return createTableQueue(db);
  // Loaded only where it is used: it takes part of the time to start.
  const { openBossQueue } = await import("./boss-queue.ts");
  return openBossQueue({ db, url: databaseUrl, log });
}
