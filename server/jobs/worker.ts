import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { hostname } from "node:os";
import type { Db } from "#server/db/open.ts";
import { describeError, type Log } from "#server/log.ts";
import { errorCodeOf } from "#server/problem.ts";
import type { SpeechEngine } from "#server/speech/index.ts";
import { Slots } from "#server/threads/slots.ts";
import { changeTranscription, getTranscription } from "#server/transcription/queries.ts";
import { failJob, failureOf } from "./failure.ts";
import { JobProgress, type ProgressNow } from "./progress.ts";
import {
  claimJob,
  clearSuspicion,
  hasJob,
  type JobKind,
  type JobRow,
  keepJob,
  listWorkers,
  releaseForgotten,
  releaseJob,
  suspectJobsOf,
} from "./queries.ts";
import { JobTaken, runJob } from "./run.ts";
import type { JobParts } from "./steps.ts";

/** A worker that has not been heard of for this long is dead (milliseconds). */
const leaseMs = 15_000;
/** A job that fails this often has failed for good; before that it waits (milliseconds). */
const attempts = 3;
const backoffMs = [5_000, 30_000];
/** Jobs under way at once. They share the engine's places fairly, so a short one is not stuck behind a long one. */
const jobsAtOnce = 3;
/** Beside them, jobs that fetch their recording: other people's slow servers keep nobody else waiting. */
const fetchesAtOnce = 8;

export interface Worker {
  /** There may be something to do: looked at now instead of at the next turn. */
  wake(): void;
  /** A job may have been taken away (deleted): looked at now. */
  check(): void;
  /** Stops; what is under way goes on at the next start. */
  close(): Promise<void>;
}

export interface WorkerParts extends Omit<JobParts, "slotsOf"> {
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
}

export interface WorkerRole {
  /** Suspects are taken one at a time, and given back as soon as they have finished something. */
  takes: JobKind;
  /** Whether a worker is watched by somebody else: nobody here declares it dead. */
  isWatched?: (worker: string) => boolean;
  /** Called when there is nothing (more) to do. */
  onIdle?: () => void;
}

export interface WorkerTimes {
  /** How often the database is asked for jobs that others have put there. Default 1,000 ms. */
  pollMs?: number;
  /** How often leases are prolonged and progress is written. Default 2,000 ms. */
  beatMs?: number;
}

/** What the name of each worker in a process of this machine begins with. */
export function workerPrefix(pid: number): string {
  return `${hostname()}:${pid}:`;
}

/** Works through the jobs in the database, beside any number of other workers. */
export async function startWorker(
  parts: WorkerParts,
  { pollMs = 1_000, beatMs = 2_000 }: WorkerTimes,
  { takes, isWatched = () => false, onIdle }: WorkerRole,
): Promise<Worker> {
  const { db, now, log } = parts;
  const name = `${workerPrefix(process.pid)}${randomBytes(6).toString("hex")}`;
  const slotsOf = slotsByEngine();
  const running = new Map<string, { beat(): Promise<void>; done: Promise<void>; isFetching(): boolean }>();
  const closing = new AbortController();
  const isForeign = (worker: string) => worker !== name && !isWatched(worker);
  if (takes !== "suspects") await takeFromTheDead(db, isForeign);

  const start = (job: JobRow) => {
    const attempt = beginAttempt({ ...parts, slotsOf, takes }, job, name, closing.signal);
    const done = attempt.done.finally(() => {
      running.delete(job.transcription_id);
      wake();
    });
    running.set(job.transcription_id, { ...attempt, done });
  };
  const reap = async () => {
    await releaseForgotten(db, name, [...running.keys()], now());
    if (takes === "suspects") return;
    for (const worker of await listWorkers(db, now())) if (isForeign(worker)) await suspectJobsOf(db, worker, now());
  };
  const pump = async () => {
    await reap();
    for (;;) {
      const fetching = [...running.values()].filter((attempt) => attempt.isFetching()).length;
      const isFull = takes === "suspects" ? running.size > 0 : running.size - fetching >= jobsAtOnce;
      if (isFull || closing.signal.aborted) return;
      const withoutFetches = fetching >= fetchesAtOnce;
      const job = await claimJob(db, { worker: name, takes, withoutFetches, now: now(), leaseUntil: now() + leaseMs });
      if (job === undefined) break;
      start(job);
    }
    if (running.size === 0) onIdle?.();
  };
  const watched = (work: Promise<unknown>) => work.catch((error: unknown) => log.error("worker", describeError(error)));
  let pumping: Promise<unknown> | undefined;
  let again = false;
  const wake = () => {
    if (pumping !== undefined) again = true;
    else if (!closing.signal.aborted) {
      again = false;
      pumping = watched(pump()).finally(() => {
        pumping = undefined;
        if (again) wake();
      });
    }
  };
  const beatAll = () => void watched(Promise.all([...running.values()].map(({ beat }) => beat())));
  const timers = [setInterval(wake, pollMs), setInterval(beatAll, beatMs)];
  wake();
  return {
    wake,
    check: beatAll,
    close: async () => {
      closing.abort(new DOMException("The server stops.", "AbortError"));
      for (const timer of timers) clearInterval(timer);
      await pumping;
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

function slotsByEngine(): (engine: SpeechEngine) => Slots {
  const slots = new Map<SpeechEngine, Slots>();
  return (engine) => {
    const own = slots.get(engine) ?? new Slots(engine.parallel);
    slots.set(engine, own);
    return own;
  };
}

/** The jobs of a server that was killed need not wait for the end of its lease. */
async function takeFromTheDead(db: Db, isForeign: (worker: string) => boolean): Promise<void> {
  for (const worker of await listWorkers(db)) if (isForeign(worker) && isDead(worker)) await suspectJobsOf(db, worker);
}

/** Whether the process behind a worker's name is known to be gone: it ran on this machine and its number is free or is ours. */
function isDead(worker: string): boolean {
  const [host, pid] = worker.split(":");
  if (host !== hostname()) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return errorCodeOf(error) === "ESRCH";
  }
}

/** Runs a claimed job to its end, its failure or its being taken away. `done` never rejects. */
function beginAttempt(parts: WorkerParts & JobParts & { takes: JobKind }, job: JobRow, worker: string, closing: AbortSignal) {
  const { db, now, log, takes } = parts;
  const id = job.transcription_id;
  const lost = new AbortController();
  const signal = AbortSignal.any([closing, lost.signal]);
  const progress = new JobProgress(now);
  let written = "";
  const report = async () => {
    const current = progress.current();
    if (written === JSON.stringify(current) || signal.aborted) return;
    written = JSON.stringify(current);
    await changeTranscription(db, id, progressChange(current));
  };
  const beat = async () => {
    if (await keepJob(db, id, worker, now() + leaseMs)) await report();
    else lost.abort(new DOMException("The job was taken away.", "AbortError"));
  };
  let suspect = job.suspect > 0;
  const progressed = async () => {
    if (!suspect) return;
    suspect = false;
    await clearSuspicion(db, id, worker);
    if (takes === "suspects")
      lost.abort(new DOMException("The others in quarantine have their turn, or the job goes on outside.", "AbortError"));
  };
  const run = async () => {
    const row = await getTranscription(db, id);
    await runJob({ ...parts, job, row, progress, report, progressed, signal });
    log.info("job finished", { id });
  };
  const settle = async (error: unknown) => {
    if (signal.aborted || error instanceof JobTaken) return leaveJob(parts, id, worker);
    const failure = failureOf(error);
    const failures = job.failures + 1;
    log.warn("job failed", { id, failures, ...describeError(error) });
    if (failure.permanent || failures >= attempts) return failJob(parts, id, failure);
    await releaseJob(db, id, worker, { failures, runAfter: now() + (backoffMs[failures - 1] ?? 30_000) });
    await changeTranscription(db, id, { stage: "waiting", seconds_left: null });
  };
  const done = run()
    .catch(settle)
    // Not even the failure could be written (a full disk): the lease runs out and the job is tried again.
    .catch((error: unknown) => log.error("job", { id, ...describeError(error) }));
  return { beat, done, isFetching: () => progress.current().stage === "fetching" };
}

/** Someone else may go on with it; if nobody will, its decoded audio is of no use any more. */
async function leaveJob({ db, storage }: WorkerParts, id: string, worker: string): Promise<void> {
  await releaseJob(db, id, worker);
  if (!(await hasJob(db, id))) await rm(storage.pcmPath(id), { force: true });
}

function progressChange({ stage, fraction, secondsLeft }: ProgressNow) {
  return { status: "processing", stage, fraction, seconds_left: secondsLeft } as const;
}
