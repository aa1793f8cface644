import { openCluster } from "#server/cluster/open.ts";
import type { Config } from "#server/config/config.ts";
import { openDb } from "#server/db/open.ts";
import { createLog } from "#server/log/log.ts";
import { openTracing } from "#server/telemetry/tracing.ts";
import { openDataFolder } from "./data-folder.ts";
import { openJobParts } from "./job-parts.ts";
import { openTelemetry } from "./open-telemetry.ts";
import { openWorker, type WorkerOverrides } from "./open-worker.ts";
import { sweepLocalFiles } from "./sweep-files.ts";

interface Overrides extends WorkerOverrides {
  /** Receives the log's lines. Default: standard error. */
  writeLog?: (line: string) => void;
}

/** A process that runs jobs and serves no requests. */
export interface WorkerProcess {
  /** Hands back what it is at, and stops. */
  close(): Promise<void>;
}

/**
 * Starts a worker. Any number can run, on any machine that reaches the database and the recordings. It opens no port
 * except METRICS_PORT's.
 * @throws if the data folder or the database is unusable
 */
export async function startWorkerProcess(config: Config, overrides: Overrides = {}): Promise<WorkerProcess> {
  const now = Date.now;
  await using cleanup = new AsyncDisposableStack();
  const log = createLog(config.logLevel, now, overrides.writeLog);
  for (const complaint of await openDataFolder(config.dataDir)) log.warn(complaint);
  if (config.operations.tracesUrl !== undefined) {
    const tracing = await openTracing(config.operations.tracesUrl, "worker");
    cleanup.defer(tracing.close);
  }
  const db = await openDb(config.dataDir, config.databaseUrl);
  cleanup.defer(() => db.destroy());
  const { bus, ...cluster } = await openCluster({ config, db, now, log }, cleanup);
  const parts = await openJobParts(config, overrides, { db, now, log, ...cluster }, cleanup);
  const { readiness } = await openTelemetry({ ...parts, config }, cleanup);
  await sweepLocalFiles(parts);
  await openWorker({ ...config, role: "worker" }, { ...parts, bus }, overrides, cleanup);
  const owned = cleanup.move();
  let closing: Promise<void> | undefined;
  return {
    close: () => {
      readiness.drain();
      closing ??= owned.disposeAsync();
      return closing;
    },
  };
}
