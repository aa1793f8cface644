import type { Db } from "#server/db/open.ts";
import { jobEnded, jobStarted } from "#server/log/events.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { inRequestContext } from "#server/log/request-context.ts";
import { type JobKind, keepJob, listWorkers, releaseForgotten, releaseJob, releaseJobsOf } from "./claim-queries.ts";
import { createHelping } from "./helping.ts";
import { hasJob, type JobRow } from "./queries.ts";
import type { JobQueue } from "./queue.ts";
import { sharing } from "./sharing.ts";
import { clearSuspicion, suspectJobsOf } from "./suspect-queries.ts";
import { JobTaken, type JobWork, type RunningAttempt } from "./work.ts";
import { isDead, workerName } from "./worker-name.ts";

/** A worker without a heartbeat for this long is considered dead (milliseconds). */
const leaseMs = 15_000;
/** A job that has failed this often is not retried. */
const attempts = 3;
/** Wait before the second attempt, and before each further one (milliseconds). */
const backoffMs: readonly number[] = [5_000, 30_000];
/** Concurrent jobs. They share the engine's slots fairly, so a short one is not stuck behind a long one. */
const jobsAtOnce = 3;
/** With those, beyond `jobsAtOnce`, of people who have none running: one person's long files keep nobody else from beginning. */
const jobsAtMost = 8;
/** Concurrent jobs, in addition, that download their recording: slow remote servers delay nobody else. */
const fetchesAtOnce = 8;

/** How long a worker that stops waits for its jobs to stop (milliseconds). */
const handBackMs = 6_000;

export interface Worker {
  /** There may be a new job: polls now instead of at the next interval. */
  wake(): void;
  /** A job may have been deleted: checks now. */
  check(): void;
  /** Stops; running jobs are released and resume at the next start. */
  close(): Promise<void>;
}

export interface WorkerParts {
  db: Db;
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  work: JobWork;
  queue: JobQueue;
}

export interface WorkerRole {
  /** Which jobs to claim. Suspects run one at a time, and return to the other workers once they make progress. */
  takes: JobKind;
  /** Whether another component watches this worker: then it is not declared dead here. */
  isWatched?: (worker: string) => boolean;
  /** Called when no job is left. */
  onIdle?: () => void;
}

export interface WorkerTimes {
  /** How often the database is polled for new jobs. Default 1,000 ms. */
  pollMs?: number;
  /** How often leases are renewed and progress is written. Default 2,000 ms. */
  beatMs?: number;
  /** Wait before the attempts after one that failed, the last for all further ones. Default 5,000 and 30,000 ms. */
  retryMs?: readonly number[];
}

/** Processes the jobs in the database, alongside any number of other workers. */
export async function startWorker(
  parts: WorkerParts,
  { pollMs = 1_000, beatMs = 2_000, retryMs = backoffMs }: WorkerTimes,
  { takes, isWatched = () => false, onIdle }: WorkerRole,
): Promise<Worker> {
  const { db, now, log, queue } = parts;
  const name = workerName();
  const running = new Map<string, HeldJob>();
  const closing = new AbortController();
  const isForeign = (worker: string) => worker !== name && !isWatched(worker);
  if (takes !== "suspects") await expireDeadLeases(db, isForeign, now());
  const isSharing = queue.isShared && takes !== "suspects";
  const helper = { worker: name, now, leaseUntil: () => now() + leaseMs, signal: closing.signal };
  const helping = createHelping({ ...parts, helper, onEnded: () => wake() });

  const start = (job: JobRow) => {
    const origin = job.request_id === null ? undefined : { requestId: job.request_id };
    const attempt = inRequestContext(origin, () =>
      beginAttempt({ ...parts, takes, retryMs, isSharing }, job, name, closing.signal),
    );
    const done = attempt.done.finally(() => {
      // It may have been claimed again meanwhile.
      if (running.get(job.transcription_id) === held) running.delete(job.transcription_id);
      wake();
    });
    const held = { ...attempt, done };
    running.set(job.transcription_id, held);
  };
  const reap = async () => {
    await releaseForgotten(db, name, [...running.keys(), ...helping.jobs()], now());
    if (takes === "suspects") return;
    for (const worker of await listWorkers(db, now())) {
      if (isForeign(worker)) await suspectJobsOf(db, worker, { at: now(), onlyExpired: true });
    }
  };
  /** Begins jobs until there is none for this worker, or it has as many as it may have. */
  const claimJobs = async () => {
    for (;;) {
      const fetching = [...running.values()].filter((attempt) => attempt.isFetching()).length;
      const busy = running.size - fetching;
      const isFull = takes === "suspects" ? running.size > 0 : busy >= jobsAtMost;
      if (isFull || closing.signal.aborted) return;
      const withoutFetches = fetching >= fetchesAtOnce;
      const onlyNewcomers = busy >= jobsAtOnce;
      const lease = { now: now(), leaseUntil: now() + leaseMs };
      const job = await queue.claim({ worker: name, takes, withoutFetches, onlyNewcomers, ...lease });
      if (job === undefined) return;
      start(job);
    }
  };
  const pump = async () => {
    await reap();
    await claimJobs();
    if (isSharing) await helping.begin();
    if (running.size === 0) onIdle?.();
  };
  const watched = (work: Promise<unknown>) => work.catch((error: unknown) => log.error("worker", describeError(error)));
  let pumping: Promise<unknown> | undefined;
  let again = false;
  const wake = () => {
    if (pumping !== undefined) again = true;
    else if (!closing.signal.aborted) {
      again = false;
      // Not as part of the request that has woken it: its jobs are anybody's.
      pumping = inRequestContext(undefined, () => watched(pump())).finally(() => {
        pumping = undefined;
        if (again) wake();
      });
    }
  };
  const beatAll = () => {
    const beats = [...running.values()].map(({ beat }) => beat());
    if (running.size > 0 || helping.jobs().length > 0) beats.push(helping.beat(new Set(running.keys())));
    void watched(Promise.all(beats));
  };
  const timers = [setInterval(wake, pollMs), setInterval(beatAll, beatMs)];
  wake();
  return {
    wake,
    check: beatAll,
    close: async () => {
      closing.abort(new DOMException("The server stops.", "AbortError"));
      for (const timer of timers) clearInterval(timer);
      await pumping;
      const ended = Promise.all([helping.ended(), ...[...running.values()].map(({ done }) => done)]);
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, handBackMs);
      await Promise.race([ended, late.promise]);
      clearTimeout(timer);
      // What does not stop when it is asked to is not waited for: another worker goes on with it.
      if (running.size > 0 || helping.jobs().length > 0) await releaseJobsOf(db, name);
    },
  };
}

/** Releases the jobs of a killed server without waiting for its lease to expire. */
async function expireDeadLeases(db: Db, isForeign: (worker: string) => boolean, at: number): Promise<void> {
  for (const worker of await listWorkers(db)) if (isForeign(worker) && isDead(worker)) await suspectJobsOf(db, worker, { at });
}

/** A job that this worker is running. */
interface HeldJob extends Pick<RunningAttempt, "done" | "isFetching"> {
  /** Renews the lease and writes the progress. */
  beat(): Promise<void>;
}

/** Runs a claimed job until it succeeds, fails or is taken away. `done` never rejects. */
function beginAttempt(
  parts: WorkerParts & { takes: JobKind; retryMs: readonly number[]; isSharing: boolean },
  job: JobRow,
  worker: string,
  closing: AbortSignal,
): HeldJob {
  const { db, now, log, work, queue, takes, retryMs, isSharing } = parts;
  const id = job.transcription_id;
  const lost = new AbortController();
  const signal = AbortSignal.any([closing, lost.signal]);
  let { failures } = job;
  let isBurdened = job.suspect > 0 || failures > 0;
  const progressed = async () => {
    if (!isBurdened) return;
    isBurdened = false;
    failures = 0;
    await clearSuspicion(db, id, worker);
    if (takes === "suspects")
      lost.abort(new DOMException("The others in quarantine have their turn, or the job goes on outside.", "AbortError"));
  };
  const from = performance.now();
  jobStarted.happened({ task: job.task, waitedSeconds: Math.max(0, now() - Math.max(job.created_at, job.run_after)) / 1000 });
  const ended = (outcome: "finished" | "failed" | "released") =>
    jobEnded.happened({ task: job.task, outcome, seconds: (performance.now() - from) / 1000 });
  const asked = isSharing ? Promise.withResolvers<void>() : undefined;
  const leaseUntil = () => now() + leaseMs;
  const attempt = work.begin({ job, signal, progressed, leaseUntil, wanted: asked?.promise });
  const beat = async () => {
    const kept = await keepJob(db, id, worker, leaseUntil());
    if (kept !== undefined) {
      if (kept.shared === sharing.wanted) asked?.resolve();
      await queue.keep(id);
      await attempt.report();
    } else lost.abort(new DOMException("The job was taken away.", "AbortError"));
  };
  const settle = async (error: unknown) => {
    const isReleased = signal.aborted || error instanceof JobTaken;
    ended(isReleased ? "released" : "failed");
    if (isReleased) return leaveJob(parts, id, worker);
    // What the job did not do is not counted: however long it takes, it goes on after that.
    const isPassing = work.isPassing(error);
    if (!isPassing) failures += 1;
    log.warn("job failed", { id, failures, ...describeError(error) });
    if (!isPassing && (failures >= attempts || work.isFinal(error))) return work.fail(id, error);
    await releaseJob(db, id, worker, { failures, runAfter: now() + (retryMs[failures - 1] ?? retryMs.at(-1) ?? 0) });
    await work.postpone(id);
  };
  const done = attempt.done
    .then(() => {
      ended("finished");
      log.info("job finished", { id });
    })
    .catch(settle)
    .then(() => queue.settle(id))
    // The failure itself could not be written (a full disk): the lease expires and the job is retried.
    .catch((error: unknown) => log.error("job", { id, ...describeError(error) }));
  return { beat, done, isFetching: attempt.isFetching };
}

/** Releases the job, so that another worker can claim it. */
async function leaveJob({ db, work }: WorkerParts, id: string, worker: string): Promise<void> {
  await releaseJob(db, id, worker);
  if (!(await hasJob(db, id))) await work.discard(id);
}
