import { writeFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { picklist, safeParse } from "valibot";
import { createLog } from "./common/log.ts";
import type { Config } from "./config.ts";
import { openDb } from "./db/open.ts";
import { type JobOverrides, openJobParts } from "./job-parts.ts";
import { quarantineMessages } from "./jobs/quarantine.ts";
import { startWorker, type WorkerTimes } from "./jobs/worker.ts";
import { createProcessing } from "./processing/processing.ts";

const Message = picklist(quarantineMessages);
/** Giving everything back takes no longer than this (milliseconds); then it ends as it is. */
const endMs = 4_000;

interface QuarantineOverrides extends JobOverrides {
  workerTimes?: WorkerTimes;
}

/**
 * Does the jobs of the quarantine (jobs/quarantine.ts) in this process, one at a time. Ends the process when there is none left, when it is
 * told to, or when its server has gone.
 */
export async function serveQuarantine(config: Config, overrides: QuarantineOverrides = {}): Promise<void> {
  // Linux: should memory run out, this process goes, and not the server or who knows what.
  await writeFile("/proc/self/oom_score_adj", "1000").catch(() => undefined);
  const { workerTimes = {} } = overrides;
  new Worker(new URL("./jobs/orphan-watch.ts", import.meta.url), { workerData: Number(process.argv[2]) }).unref();
  await using cleanup = new AsyncDisposableStack();
  const ending = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "disconnect"]) process.on(signal, () => ending.resolve());
  // Only a process whose event loop turns says so.
  const sayAlive = () => process.connected && process.send?.("alive", undefined, undefined, () => undefined);
  const alive = setInterval(sayAlive, workerTimes.beatMs ?? 2_000);
  cleanup.defer(() => clearInterval(alive));

  const db = await openDb(config.dataDir);
  cleanup.defer(() => db.destroy());
  const log = createLog(config.logLevel, Date.now);
  const parts = await openJobParts(config, overrides, { db, now: Date.now, log }, cleanup);
  const worker = await startWorker({ ...parts, work: createProcessing(parts) }, workerTimes, {
    takes: "suspects",
    onIdle: () => ending.resolve(),
  });
  cleanup.defer(() => worker.close());
  process.on("message", (message) => {
    const { success, output } = safeParse(Message, message);
    if (success) worker[output]();
  });
  await ending.promise;
  setTimeout(() => process.exit(1), endMs).unref();
  await cleanup.disposeAsync();
  process.exit(0);
}
