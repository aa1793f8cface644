import type { Registry } from "prom-client";
import type { DbParts } from "#server/db/open.ts";
import {
  connectionsChanged,
  jobEnded,
  jobStarted,
  pieceRecognized,
  requestAnswered,
  requestRefused,
} from "#server/log/events.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { version } from "#server/log/version.ts";
import { queueState } from "./queries.ts";

/** Metrics in the text format of Prometheus. */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  close(): void;
}

interface Parts extends DbParts {
  log: Log;
  engines: { infos(): readonly { name: string; available: boolean }[] };
  storage: { freeBytes(): Promise<number> };
  readiness: { reasons(): Promise<readonly string[]> };
}

type Prometheus = typeof import("prom-client");

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const waitBuckets = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600, 6 * 3600];
const jobBuckets = [1, 5, 15, 60, 300, 900, 3600, 6 * 3600];
/** Below 1, the engine is faster than live speech. */
const factorBuckets = [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 5];

/** Starts counting. The library is loaded only here, so that a server without metrics starts faster. */
export async function openMetrics(parts: Parts): Promise<Metrics> {
  const prometheus = await import("prom-client");
  const registry = new prometheus.Registry();
  prometheus.collectDefaultMetrics({ register: registry });
  const { Gauge } = prometheus;
  new Gauge({ name: "parlance_build_info", help: "1, with the version.", labelNames: ["version"], registers: [registry] }).set(
    { version },
    1,
  );
  const ends = [
    ...countRequests(prometheus, registry),
    ...countJobs(prometheus, registry),
    ...countConnections(prometheus, registry),
  ];
  const measure = gauges(prometheus, registry, parts);
  return {
    contentType: registry.contentType,
    text: async () => {
      await measure();
      return registry.metrics();
    },
    close: () => {
      for (const end of ends) end();
      registry.clear();
    },
  };
}

function countRequests({ Histogram, Counter }: Prometheus, registry: Registry): (() => void)[] {
  const durations = new Histogram({
    name: "parlance_http_request_duration_seconds",
    help: "Time to the first byte of the answer, by route.",
    labelNames: ["method", "route", "status"],
    buckets: requestBuckets,
    registers: [registry],
  });
  const refusals = new Counter({
    name: "parlance_refusals_total",
    help: "Refused and failed requests, by the answer's error code.",
    labelNames: ["code"],
    registers: [registry],
  });
  return [
    requestAnswered.listen(({ seconds, method, route, status }) => durations.observe({ method, route, status }, seconds)),
    requestRefused.listen(({ code }) => refusals.inc({ code })),
  ];
}

function countJobs({ Histogram, Counter }: Prometheus, registry: Registry): (() => void)[] {
  const registers = [registry];
  const waits = new Histogram({
    name: "parlance_job_wait_seconds",
    help: "Time that jobs waited for a worker.",
    labelNames: ["task"],
    buckets: waitBuckets,
    registers,
  });
  const durations = new Histogram({
    name: "parlance_job_duration_seconds",
    help: "Duration of attempts at jobs, by their result.",
    labelNames: ["task", "outcome"],
    buckets: jobBuckets,
    registers,
  });
  const factors = new Histogram({
    name: "parlance_speech_realtime_factor",
    help: "Time that an engine took for a piece of audio, divided by the length of the piece.",
    labelNames: ["engine"],
    buckets: factorBuckets,
    registers,
  });
  const recognized = new Counter({
    name: "parlance_speech_audio_seconds_total",
    help: "Length of the audio that an engine has recognized.",
    labelNames: ["engine"],
    registers,
  });
  const spent = new Counter({
    name: "parlance_speech_processing_seconds_total",
    help: "Time that an engine took for it.",
    labelNames: ["engine"],
    registers,
  });
  return [
    jobStarted.listen(({ task, waitedSeconds }) => waits.observe({ task }, waitedSeconds)),
    jobEnded.listen(({ task, outcome, seconds }) => durations.observe({ task, outcome }, seconds)),
    pieceRecognized.listen(({ engine, audioSeconds, seconds }) => {
      recognized.inc({ engine }, audioSeconds);
      spent.inc({ engine }, seconds);
      if (audioSeconds > 0) factors.observe({ engine }, seconds / audioSeconds);
    }),
  ];
}

function countConnections({ Gauge }: Prometheus, registry: Registry): (() => void)[] {
  const open = new Gauge({
    name: "parlance_live_sessions",
    help: "Open connections: dictations, event streams, dictations without an account.",
    labelNames: ["kind"],
    registers: [registry],
  });
  for (const kind of ["dictation", "events", "tryOut"]) open.set({ kind }, 0);
  return [connectionsChanged.listen(({ kind, by }) => open.inc({ kind }, by))];
}

/** Gauges measured on request. @returns a function that measures; failed measurements are left out, and logged */
function gauges({ Gauge }: Prometheus, registry: Registry, parts: Parts): () => Promise<void> {
  const { db, now, engines, storage, readiness, log } = parts;
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const jobs = gauge("parlance_jobs", "Jobs in the queue, by state.", ["state"]);
  const oldest = gauge("parlance_jobs_oldest_wait_seconds", "Waiting time of the oldest waiting job.");
  const available = gauge("parlance_engine_available", "Whether a speech engine can be used.", ["engine"]);
  const free = gauge("parlance_storage_free_bytes", "Free space of the data folder's file system.");
  const ready = gauge("parlance_ready", "1 when /readyz reports ready.");
  const measurements = [
    async () => {
      const { waiting, running, oldestSeconds } = await queueState(db, now());
      jobs.set({ state: "waiting" }, waiting);
      jobs.set({ state: "running" }, running);
      oldest.set(oldestSeconds);
    },
    async () => {
      available.reset();
      for (const engine of engines.infos()) available.set({ engine: engine.name }, engine.available ? 1 : 0);
    },
    async () => free.set(await storage.freeBytes()),
    async () => ready.set((await readiness.reasons()).length === 0 ? 1 : 0),
  ];
  return async () => {
    const done = await Promise.allSettled(measurements.map((measure) => measure()));
    for (const { reason } of done.filter((one) => one.status === "rejected"))
      log.warn("metric not measured", describeError(reason));
  };
}
