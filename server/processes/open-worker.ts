import { fileURLToPath } from "node:url";
import type { Bus } from "#server/bus/bus.ts";
import type { Config } from "#server/config/config.ts";
import { openJobQueue } from "#server/jobs/open-queue.ts";
import { openQuarantine, type QuarantineOptions } from "#server/jobs/quarantine.ts";
import { startWorker, type Worker, type WorkerTimes } from "#server/jobs/worker.ts";
import { giveUpJob } from "#server/processing/failure.ts";
import { createProcessing } from "#server/processing/processing.ts";
import { openVideoWorker, type VideoTimes } from "#server/video/worker.ts";
import type { JobOverrides, OpenJobParts } from "./job-parts.ts";

/** The program of the quarantine process (jobs/quarantine.ts). */
const quarantineProgram = fileURLToPath(new URL("./quarantine.ts", import.meta.url));

/** Replacements for tests. */
export interface WorkerOverrides extends JobOverrides {
  workerTimes?: WorkerTimes;
  videoTimes?: VideoTimes;
  /** null: no quarantine; suspects run like other jobs. */
  quarantine?: Partial<QuarantineOptions> | null;
}

interface Parts extends OpenJobParts {
  bus: Bus;
}

/**
 * The worker of this process, and its quarantine, unless its role is to serve people alone. What is returned wakes the workers of all
 * processes.
 */
export async function openWorker(
  { role, databaseUrl }: Pick<Config, "role" | "databaseUrl">,
  parts: Parts,
  { workerTimes = {}, videoTimes, quarantine: options = {} }: WorkerOverrides,
  cleanup: AsyncDisposableStack,
): Promise<Worker> {
  const { bus } = parts;
  const publish = { wake: () => bus.publish("jobs.added"), check: () => bus.publish("jobs.changed") };
  if (role === "api") return { ...publish, close: async () => {} };
  const videos = openVideoWorker(parts, videoTimes);
  cleanup.defer(() => videos.close());
  const queue = await openJobQueue(parts, databaseUrl);
  cleanup.defer(() => queue.close());
  const workerParts = { ...parts, work: createProcessing(parts), queue };
  const onBus = ({ wake, check, close }: Worker): Worker => {
    cleanup.defer(bus.subscribe("jobs.added", wake));
    cleanup.defer(bus.subscribe("jobs.changed", check));
    return { ...publish, close };
  };
  if (options === null) {
    const worker = await startWorker(workerParts, workerTimes, { takes: "all" });
    cleanup.defer(() => worker.close());
    return onBus(worker);
  }
  const quarantine = openQuarantine(
    { ...parts, giveUp: (id) => giveUpJob(parts, id) },
    { program: quarantineProgram, ...workerTimes, ...options },
  );
  cleanup.defer(() => quarantine.close());
  const worker = await startWorker(workerParts, workerTimes, { takes: "unsuspected", isWatched: quarantine.owns });
  cleanup.defer(() => worker.close());
  return onBus({
    wake: () => {
      worker.wake();
      quarantine.wake();
    },
    check: () => {
      worker.check();
      quarantine.check();
    },
    close: worker.close,
  });
}
