import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { ensureSuperuser } from "./account/superusers.ts";
import { createApp } from "./app.ts";
import { inTurn } from "./cluster/locks.ts";
import type { Config } from "./config/config.ts";
import { openDb } from "./db/open.ts";
import { fillInSamples } from "./demo/samples.ts";
import { connectionTimes } from "./http/connections.ts";
import { listen, stop } from "./http/listen.ts";
import { createLog, describeError } from "./log/log.ts";
import { createSite } from "./page/site.ts";
import { openDataFolder } from "./processes/data-folder.ts";
import { type Deps, openParts } from "./processes/open-parts.ts";
import type { Overrides } from "./processes/overrides.ts";
import { sweep } from "./processes/sweep.ts";
import { sweepFilesAtStart } from "./processes/sweep-files.ts";
import { openTracing } from "./telemetry/tracing.ts";
import { settleConversations } from "./translator/conversations.ts";
import { recoverUploads } from "./uploads/finish.ts";
import { watchFolder } from "./watched-folder/watch.ts";

/** Interval of the sweeper (milliseconds). */
const sweepMs = 30_000;

export interface Running {
  /** "http://localhost:3000", with the actual port. */
  apiUrl: string;
  pageUrl: string;
  /** URL of METRICS_PORT's own server, if it has one. */
  metricsUrl: string | undefined;
  /** Every route of the API as registered ("/audio/remove-transcription/:id"); once per handler. */
  routes: readonly { method: string; path: string }[];
  /** Sweeps now: deletes due data, promotes abandoned recordings, and so on. Otherwise every 30 s. */
  sweep(): Promise<void>;
  /** Runs scheduled posting now, to completion. Otherwise it runs when it is due. */
  postDue(): Promise<void>;
  /** Stops the server and releases its resources. Unfinished jobs resume at the next start. */
  close(): Promise<void>;
}

/**
 * Starts the whole product in this process: database, API, page.
 * @throws when a port is taken or the data folder is unusable
 */
export async function startServer(config: Config, overrides: Overrides = {}): Promise<Running> {
  const print = overrides.print ?? console.log;
  await using cleanup = new AsyncDisposableStack();
  const log = createLog(config.logLevel, overrides.now ?? Date.now, overrides.writeLog);
  for (const complaint of await openDataFolder(config.dataDir, config.databaseUrl === undefined)) log.warn(complaint);
  if (config.operations.tracesUrl !== undefined) {
    const tracing = await openTracing(config.operations.tracesUrl, config.role);
    cleanup.defer(tracing.close);
  }
  const db = await openDb(config.dataDir, config.databaseUrl);
  cleanup.defer(() => db.destroy());

  const times = { ...connectionTimes, ...overrides.connectionTimes };
  const api = await listen(config.port, config, times);
  cleanup.defer(() => stop(api.server, times.graceMs));
  const web = await listen(config.webPort, config, times);
  cleanup.defer(() => stop(web.server, times.graceMs));

  const deps = await openParts(
    config,
    overrides,
    { db, log, server: api.server, ports: { api: api.port, web: web.port } },
    cleanup,
  );
  await recoverUploads(deps);
  await settleConversations(deps);
  cleanup.defer(await sweepFilesAtStart(deps));
  for (const line of await ensureSuperuser(deps)) print(line);
  if (overrides.demo === true) await fillInSamples(deps);
  const sweeping = startSweeping(deps);
  cleanup.defer(sweeping.close);
  cleanup.defer(async () => deps.searchIndex.close());
  const watch = config.watch && watchFolder(deps, config.watch, overrides.watchTimes);
  cleanup.defer(() => watch?.close());

  const distDir = overrides.distDir ?? fileURLToPath(new URL("../dist", import.meta.url));
  const app = createApp(deps);
  api.handle(getRequestListener(app.fetch));
  web.handle(getRequestListener(createSite(distDir, deps).fetch));

  const owned = cleanup.move();
  let closing: Promise<void> | undefined;
  return {
    apiUrl: `http://localhost:${api.port}`,
    pageUrl: config.publicUrl ?? `http://localhost:${web.port}`,
    metricsUrl: deps.metricsPort === undefined ? undefined : `http://localhost:${deps.metricsPort}`,
    routes: app.routes.flatMap(({ method, path }) => (method === "ALL" ? [] : [{ method, path }])),
    sweep: sweeping.now,
    postDue: deps.scheduler.runDue,
    close: () => {
      // From now on, load balancers send no more requests to this process.
      deps.readiness.drain();
      closing ??= owned.disposeAsync();
      return closing;
    },
  };
}

/** Sweeps at once and then at intervals. Sweeps never overlap, not even those of other processes. */
function startSweeping(deps: Deps): { now(): Promise<void>; close(): Promise<void> } {
  const { locks, log } = deps;
  let sweeping = Promise.resolve();
  let isClosed = false;
  const run = () => {
    sweeping = sweeping
      .then(() => (isClosed ? undefined : inTurn(locks, "sweep", () => sweep(deps))))
      .catch((error: unknown) => log.error("sweep failed", describeError(error)));
    return sweeping;
  };
  const timer = setInterval(run, sweepMs);
  void run();
  return {
    now: run,
    close: () => {
      isClosed = true;
      clearInterval(timer);
      return sweeping;
    },
  };
}
