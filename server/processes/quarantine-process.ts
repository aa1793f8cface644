import { writeFile } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import { safeParse } from "valibot";
import { openShared } from "#server/cluster/open.ts";
import type { Config } from "#server/config/config.ts";
import { listenToChanges } from "#server/db/changes.ts";
import { askDb, openDb } from "#server/db/open.ts";
import { databaseGone } from "#server/jobs/quarantine-child.ts";
import { type FromQuarantine, ToQuarantine } from "#server/jobs/quarantine-messages.ts";
import { createTableQueue } from "#server/jobs/table-queue.ts";
import { startWorker, type WorkerTimes } from "#server/jobs/worker.ts";
import { createLog, describeError } from "#server/log/log.ts";
import { createProcessing } from "#server/processing/processing.ts";
import { type JobOverrides, openJobParts } from "./job-parts.ts";

/** Time limit of the shutdown (milliseconds); after it the process exits anyway. */
const endMs = 4_000;

interface QuarantineOverrides extends JobOverrides {
  workerTimes?: WorkerTimes;
}

/**
 * Runs the quarantined jobs (jobs/quarantine.ts) in this process, one at a time. Exits when none is left, when asked to, or when
 * its server has exited.
 */
export async function serveQuarantine(config: Config, overrides: QuarantineOverrides = {}): Promise<void> {
  // Linux: makes this process the first victim of the out-of-memory killer, instead of the server.
  await writeFile("/proc/self/oom_score_adj", "1000").catch(() => undefined);
  const { workerTimes = {} } = overrides;
  new Worker(new URL("../jobs/orphan-watch.ts", import.meta.url), { workerData: Number(process.argv[2]) }).unref();
  await using cleanup = new AsyncDisposableStack();
  const ending = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "disconnect"]) process.on(signal, () => ending.resolve());
  const say = openLine(cleanup, workerTimes.beatMs);

  const db = await openDb(config.dataDir, config.databaseUrl);
  cleanup.defer(() => db.destroy());
  const log = createLog(config.logLevel, Date.now);
  // The job is blamed for an exit code: not for errors of a database that is gone.
  process.on("uncaughtException", (error) => {
    log.error("quarantine", describeError(error));
    askDb(db).then(
      () => process.exit(1),
      () => process.exit(databaseGone),
    );
  });
  const { locks, claims } = await openShared({ config, db, now: Date.now, log }, cleanup);
  // On PostgreSQL its bus tells every process.
  if (config.databaseUrl === undefined) cleanup.defer(listenToChanges(db, (change) => void say(change)));
  const parts = await openJobParts(config, overrides, { db, now: Date.now, log, locks, claims }, cleanup);
  // From now on silence is short: a job may hold the event loop before the first beat.
  await say("alive");
  const worker = await startWorker({ ...parts, work: createProcessing(parts), queue: createTableQueue(parts.db) }, workerTimes, {
    takes: "suspects",
    onIdle: () => ending.resolve(),
  });
  cleanup.defer(() => worker.close());
  process.on("message", (message) => {
    const { success, output } = safeParse(ToQuarantine, message);
    if (success) worker[output]();
  });
  await ending.promise;
  setTimeout(() => process.exit(1), endMs).unref();
  await cleanup.disposeAsync();
  process.exit(0);
}

/**
 * Tells the server that this process is alive, again and again: until its event loop is blocked.
 * @returns what says more; resolves when it is on its way, or can't be any more because the server is gone
 */
function openLine(cleanup: AsyncDisposableStack, beatMs = 2_000): (message: FromQuarantine) => Promise<void> {
  let said = Promise.resolve();
  // The process would end before what it said last is on its way.
  cleanup.defer(() => said);
  const say = (message: FromQuarantine) => {
    said = new Promise((resolve) => {
      if (process.send === undefined || !process.connected) resolve();
      else process.send(message, undefined, undefined, () => resolve());
    });
    return said;
  };
  const alive = setInterval(() => void say("alive"), beatMs);
  cleanup.defer(() => clearInterval(alive));
  return say;
}
