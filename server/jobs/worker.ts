import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import { describeError, type Log } from "#server/common/log.ts";
import { errorCodeOf } from "#server/common/problem.ts";
import type { Db } from "#server/db/open.ts";
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
import { JobTaken, type JobWork, type RunningAttempt } from "./work.ts";

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

export interface WorkerParts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  work: JobWork;
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
  const running = new Map<string, HeldJob>();
  const closing = new AbortController();
  const isForeign = (worker: string) => worker !== name && !isWatched(worker);
  if (takes !== "suspects") await expireDeadLeases(db, isForeign);

  const start = (job: JobRow) => {
    const attempt = beginAttempt({ ...parts, takes }, job, name, closing.signal);
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

/** The jobs of a server that was killed need not wait for the end of its lease. */
async function expireDeadLeases(db: Db, isForeign: (worker: string) => boolean): Promise<void> {
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

/** A job that is under way here. */
interface HeldJob extends Pick<RunningAttempt, "done" | "isFetching"> {
  /** Says that it is, and how far it has got. */
  beat(): Promise<void>;
}

/** Runs a claimed job to its end, its failure or its being taken away. `done` never rejects. */
function beginAttempt(parts: WorkerParts & { takes: JobKind }, job: JobRow, worker: string, closing: AbortSignal): HeldJob {
  const { db, now, log, work, takes } = parts;
  const id = job.transcription_id;
  const lost = new AbortController();
  const signal = AbortSignal.any([closing, lost.signal]);
  let suspect = job.suspect > 0;
  const progressed = async () => {
    if (!suspect) return;
    suspect = false;
    await clearSuspicion(db, id, worker);
    if (takes === "suspects")
      lost.abort(new DOMException("The others in quarantine have their turn, or the job goes on outside.", "AbortError"));
  };
  const attempt = work.begin({ job, signal, progressed });
  const beat = async () => {
    if (await keepJob(db, id, worker, now() + leaseMs)) await attempt.report();
    else lost.abort(new DOMException("The job was taken away.", "AbortError"));
  };
  const settle = async (error: unknown) => {
    if (signal.aborted || error instanceof JobTaken) return leaveJob(parts, id, worker);
    const failures = job.failures + 1;
    log.warn("job failed", { id, failures, ...describeError(error) });
    if (failures >= attempts || work.isFinal(error)) return work.fail(id, error);
    await releaseJob(db, id, worker, { failures, runAfter: now() + (backoffMs[failures - 1] ?? 30_000) });
    await work.postpone(id);
  };
  const done = attempt.done
    .then(() => log.info("job finished", { id }))
    .catch(settle)
    // Not even the failure could be written (a full disk): the lease runs out and the job is tried again.
    .catch((error: unknown) => log.error("job", { id, ...describeError(error) }));
  return { beat, done, isFetching: attempt.isFetching };
}

/** Someone else may go on with it. */
async function leaveJob({ db, work }: WorkerParts, id: string, worker: string): Promise<void> {
  await releaseJob(db, id, worker);
  if (!(await hasJob(db, id))) await work.discard(id);
}
