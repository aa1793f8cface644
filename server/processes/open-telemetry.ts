import type { Config } from "#server/config/config.ts";
import type { DbParts } from "#server/db/open.ts";
import type { Log } from "#server/log/log.ts";
import type { SpeechEngines } from "#server/speech/index.ts";
import type { Storage } from "#server/storage/storage.ts";
import { type Metrics, openMetrics } from "#server/telemetry/metrics.ts";
import { commonChecks, createReadiness, type Readiness } from "#server/telemetry/readiness.ts";
import { serveTelemetry } from "#server/telemetry/serve.ts";

interface Parts extends DbParts {
  config: Config;
  log: Log;
  engines: SpeechEngines;
  storage: Storage;
}

/** The telemetry of a process, in any role. */
export interface Telemetry {
  readiness: Readiness;
  /** Undefined: not configured. */
  metrics: Metrics | undefined;
  /** The port of METRICS_PORT's own server, if it has one. */
  port: number | undefined;
}

/** Opens what METRICS_PORT and METRICS_TOKEN ask for. @throws when the port is taken */
export async function openTelemetry(parts: Parts, cleanup: AsyncDisposableStack): Promise<Telemetry> {
  const { config, db, log, engines, storage } = parts;
  const canRecognize = () => engines.infos().some(({ available }) => available);
  const readiness = createReadiness(commonChecks({ db, dataDir: config.dataDir, canRecognize, bucket: storage.bucket }), log);
  const { port, host, token } = config.operations.metrics;
  if (port === undefined && token === undefined) return { readiness, metrics: undefined, port: undefined };
  const metrics = await openMetrics({ ...parts, readiness });
  cleanup.defer(() => metrics.close());
  if (port === undefined) return { readiness, metrics, port: undefined };
  const served = await serveTelemetry({ config: { port, host, token }, metrics, readiness, log });
  cleanup.defer(() => served.close());
  return { readiness, metrics, port: served.port };
}
