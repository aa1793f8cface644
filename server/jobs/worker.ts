import { withoutGuard } from "#server/db/guard.ts";
import type { Db, DbParts } from "#server/db/open.ts";
import { jobEnded, jobStarted } from "#server/log/events.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { inRequestContext } from "#server/log/request-context.ts";
import { startPoller } from "#server/polling/poller.ts";
import { keepJob, noteProgress, releaseJob } from "./claim-queries.ts";
import { type JobHandler, JobTakenOver, type RunningAttempt } from "./handler.ts";
import { hasJob, type JobRow } from "./queries.ts";
import type { Delivery, JobQueue } from "./queue.ts";

/** A worker without a heartbeat for this long is considered dead (milliseconds). */
const leaseMs = 15_000;
/** A job that has failed this often in a row is not retried. */
const maxAttempts = 3;
/** Wait before the second attempt, and before each further one (milliseconds). */
const backoffMs: readonly number[] = [5_000, 30_000];
/** Concurrent jobs. The engine's slots go round among them, so a short one is not stuck behind a long one. */
const jobsAtOnce = 3;
/**
 * The maximum number of jobs including those of people without a running job, beyond `jobsAtOnce`: one person's long
 * files don't delay others.
 */
const jobsAtMost = 8;
/** Additional concurrent jobs that download their recording: slow remote servers delay nobody else. */
const fetchesAtOnce = 8;

/** The ms that a stopping worker waits for its jobs to stop. */
const handBackMs = 6_000;

export interface Worker {
  /** Polls for a new job now instead of at the next interval. */
  wake(): void;
  /** A job may have been deleted: checks now. */
  check(): void;
  /** Stops; running jobs are released and resume at the next start. */
  close(): Promise<void>;
}

export interface WorkerParts extends DbParts {
  log: Log;
  handler: JobHandler;
  queue: JobQueue;
}

export interface WorkerTimes {
  /** The ms between polls of the database for new jobs. Default 1,000. */
  pollMs?: number;
  /** The ms between renewals of leases and records of progress. Default 2,000. */
  beatMs?: number;
  /** Wait after the second interruption in a row, doubled for each further one. Default 1,000 ms. */
  interruptedMs?: number;
  /** The ms before the attempts after a failed one; the last value for all further ones. Default 5,000 and 30,000. */
  retryMs?: readonly number[];
}

/** Processes the jobs in the database, alongside any number of other workers. */
export function startWorker(
  parts: WorkerParts,
  { pollMs = 1_000, beatMs = 2_000, retryMs = backoffMs, interruptedMs }: WorkerTimes = {},
): Worker {
  const { now, log, queue } = parts;
  const running = new Set<LeasedJob>();
  const closing = new AbortController();
  let beatenAt = now();

  const start = (delivery: Delivery) => {
    const { request_id } = delivery.job;
    const origin = request_id === null ? undefined : { requestId: request_id };
    const job = inRequestContext(origin, () => withoutGuard(() => beginAttempt({ ...parts, retryMs }, delivery, closing.signal)));
    running.add(job);
    void job.done.then(() => {
      running.delete(job);
      poller.wake();
    });
  };
  const beatAll = async () => {
    beatenAt = now();
    await Promise.all([...running].map(({ beat }) => beat()));
  };
  const poller = startPoller({ name: "worker", log, pollMs }, async () => {
    // The machine has slept: its jobs are still its own.
    if (now() - beatenAt > leaseMs / 2) await beatAll();
    for (;;) {
      const fetching = [...running].filter(({ isFetching }) => isFetching()).length;
      const busy = running.size - fetching;
      if (busy >= jobsAtMost || closing.signal.aborted) return;
      const withoutFetches = fetching >= fetchesAtOnce;
      const onlyNewcomers = busy >= jobsAtOnce;
      const lease = { now: now(), leaseUntil: now() + leaseMs, interruptedMs };
      const delivery = await queue.claim({ withoutFetches, onlyNewcomers, ...lease });
      if (delivery === undefined) return;
      start(delivery);
    }
  });
  const watched = (task: Promise<unknown>) => task.catch((error: unknown) => log.error("worker failed", describeError(error)));
  const check = () => void watched(beatAll());
  const beating = setInterval(check, beatMs);
  return {
    wake: poller.wake,
    check,
    close: async () => {
      closing.abort(new DOMException("The server is stopping.", "AbortError"));
      clearInterval(beating);
      await poller.close();
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, handBackMs);
      await Promise.race([Promise.all([...running].map(({ done }) => done)), late.promise]);
      clearTimeout(timer);
      // A job that does not stop in time is not awaited: another worker continues it.
      await watched(Promise.all([...running].map(({ release }) => release())));
    },
  };
}

/** A job that this worker is running. */
interface LeasedJob extends Pick<RunningAttempt, "done" | "isFetching"> {
  /** Renews the lease and writes the progress. */
  beat(): Promise<void>;
  /** Hands it back. */
  release(): Promise<void>;
}

/** Runs a claimed job until it succeeds, fails or is taken away. `done` never rejects. */
function beginAttempt(
  { db, now, log, handler, retryMs }: WorkerParts & { retryMs: readonly number[] },
  { job, keep, settle }: Delivery,
  closing: AbortSignal,
): LeasedJob {
  const id = job.transcription_id;
  const lost = new AbortController();
  const signal = AbortSignal.any([closing, lost.signal]);
  let { attempts } = job;
  let isCounted = attempts > 0 || job.interruptions > 0;
  const progressed = async () => {
    if (!isCounted) return;
    isCounted = false;
    attempts = 0;
    await noteProgress(db, job);
  };
  const from = performance.now();
  jobStarted.happened({ task: job.task, waitedSeconds: Math.max(0, now() - Math.max(job.created_at, job.run_after)) / 1000 });
  const ended = (outcome: "finished" | "failed" | "released") =>
    jobEnded.happened({ task: job.task, outcome, seconds: (performance.now() - from) / 1000 });
  const attempt = handler.begin({ job, signal, progressed });
  const beat = async () => {
    if (await keepJob(db, job, now() + leaseMs)) {
      await keep();
      await attempt.report();
    } else lost.abort(new DOMException("Another worker has taken over the job.", "AbortError"));
  };
  const conclude = async (error: unknown) => {
    if (signal.aborted || error instanceof JobTakenOver) {
      ended("released");
      return leave(db, handler, job);
    }
    ended("failed");
    // Failures that are not the job's fault don't count: it continues, however long they take.
    const isPassing = handler.isPassing(error);
    if (!isPassing) attempts += 1;
    log.warn("job failed", { id, attempts, ...describeError(error) });
    if (!isPassing && (attempts >= maxAttempts || handler.isFinal(error))) return handler.fail(job, error);
    const runAfter = now() + (retryMs[attempts - 1] ?? retryMs.at(-1) ?? 0);
    if (await releaseJob(db, job, { attempts, runAfter })) await handler.postpone(id);
  };
  const done = attempt.done
    .then(() => {
      ended("finished");
      log.info("job finished", { id });
    })
    .catch(conclude)
    .then(settle)
    // The failure itself could not be written (a full disk): the lease expires and the job is retried.
    .catch((error: unknown) => log.error("job result not saved", { id, ...describeError(error) }));
  const release = async () => {
    await releaseJob(db, job);
    await settle();
  };
  return { beat, done, release, isFetching: attempt.isFetching };
}

/** Releases the job, so that another worker can claim it. */
async function leave(db: Db, handler: JobHandler, job: JobRow): Promise<void> {
  await releaseJob(db, job);
  if (!(await hasJob(db, job.transcription_id))) await handler.discard(job.transcription_id);
}
