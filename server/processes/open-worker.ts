import type { Bus } from "#server/bus/bus.ts";
import type { Config } from "#server/config/config.ts";
import type { JobQueue } from "#server/jobs/queue.ts";
import { openTableQueue } from "#server/jobs/table-queue.ts";
import { startWorker, type Worker, type WorkerTimes } from "#server/jobs/worker.ts";
import { createProcessing } from "#server/processing/processing.ts";
import { openVideoWorker, type VideoTimes } from "#server/video/worker.ts";
import type { JobOverrides, OpenJobParts } from "./job-parts.ts";

export interface WorkerOverrides extends JobOverrides {
  workerTimes?: WorkerTimes;
  videoTimes?: VideoTimes;
}

interface Parts extends OpenJobParts {
  bus: Bus;
}

/**
 * The worker of this process, unless its role is only to serve requests. The returned function wakes the workers of all
 * processes.
 */
export async function openWorker(
  { role, databaseUrl }: Pick<Config, "role" | "databaseUrl">,
  parts: Parts,
  { workerTimes, videoTimes }: WorkerOverrides,
  cleanup: AsyncDisposableStack,
): Promise<Worker> {
  const { bus } = parts;
  const publish = { wake: () => bus.publish("jobs.added"), check: () => bus.publish("jobs.changed") };
  if (role === "api") return { ...publish, close: async () => {} };
  const videos = openVideoWorker(parts, videoTimes);
  cleanup.defer(() => videos.close());
  const queue = await openQueue(parts, databaseUrl);
  cleanup.defer(() => queue.close());
  const { wake, check, close } = startWorker({ ...parts, handler: createProcessing(parts), queue }, workerTimes);
  cleanup.defer(close);
  cleanup.defer(bus.subscribe("jobs.added", wake));
  cleanup.defer(bus.subscribe("jobs.changed", check));
  return { ...publish, close };
}

/** @param url PostgreSQL's address, if it is used: then other machines may take jobs, too */
async function openQueue({ db, now, log }: Parts, url: string | undefined): Promise<JobQueue> {
  if (url === undefined) return openTableQueue(db, now());
  // Loaded only where it is used: it takes part of the time to start.
  const { openBossQueue } = await import("#server/jobs/boss-queue.ts");
  return openBossQueue({ db, url, log });
}
