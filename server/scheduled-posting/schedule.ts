import { randomUUID } from "node:crypto";
import type { ScheduledStatus } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { describeError } from "#server/log/log.ts";
import { nextTime } from "./cron.ts";
import type { SchedulerParts } from "./parts.ts";
import { postRun } from "./post.ts";
import { addRun, changeRun, countRun, findRunning, type RunRow, readSchedule, writeSchedule } from "./queries.ts";
import { scheduledStatus } from "./status.ts";
import type { BlogRunTable } from "./tables.ts";

/** Default of `leaseMs` (milliseconds). */
const defaultLeaseMs = 60_000;
const beatsPerLease = 4;
/** A run that has crashed this many processes is not retried. */
const attempts = 3;
/** Longest poll interval (milliseconds). Other processes and users change the database, too. */
const longestMs = 30_000;
const shortestMs = 1_000;

/**
 * Publishes generated posts by a schedule. All state is in the database: it survives restarts, and several processes
 * can share it. A process claims a run in a transaction. Only the process with the last claim can finish the run, in
 * the transaction that stores its post. A run missed while no server was running is made up for until the next run is
 * due; later it is skipped.
 */
export interface Scheduler {
  status(): Promise<ScheduledStatus>;
  /** Starts a run now, unless one is in progress; does not wait for its end. */
  trigger(): Promise<ScheduledStatus>;
  /** @param skip false: undoes skipping the next run @throws Problem `conflict` when nothing is scheduled */
  skipNext(skip: boolean): Promise<ScheduledStatus>;
  /** Processes what is due now; resolves when done. Also happens automatically. */
  runDue(): Promise<void>;
  /** Stops; an interrupted run is retried at the next start. */
  close(): Promise<void>;
}

/** Resumes the schedule of the last process. */
export async function openScheduler(parts: SchedulerParts): Promise<Scheduler> {
  const { db, now, log, bus } = parts;
  const closing = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const arm = async () => {
    const next = await nextDue(db).catch(() => Number.POSITIVE_INFINITY);
    clearTimeout(timer);
    if (closing.signal.aborted) return;
    timer = setTimeout(runDue, Math.min(longestMs, Math.max(shortestMs, next - now())));
  };
  const work = async () => {
    while (!closing.signal.aborted) {
      const run = await claim(parts);
      if (run === undefined) return;
      await execute(parts, run, closing.signal);
    }
  };
  const runDue = () => {
    running = running.then(work).catch((error: unknown) => log.error("scheduled posting failed", describeError(error)));
    running = running.then(arm);
    return running;
  };
  await syncSchedule(parts);
  const stopListening = bus.subscribe("schedule.changed", () => void runDue());
  void runDue();
  return {
    runDue,
    status: () => scheduledStatus(parts),
    trigger: async () => {
      await addByPerson(parts);
      bus.publish("schedule.changed");
      return scheduledStatus(parts);
    },
    skipNext: async (skip) => {
      await markNext(db, skip);
      return scheduledStatus(parts);
    },
    close: () => {
      stopListening();
      closing.abort(new DOMException("The server is stopping.", "AbortError"));
      clearTimeout(timer);
      return running;
    },
  };
}

/** Time of the next action: the next run, or the expiry of a run's lease (epoch ms; infinity: never). */
async function nextDue(db: Db): Promise<number> {
  const { next_at } = await readSchedule(db);
  const started = await findRunning(db);
  return Math.min(next_at ?? Number.POSITIVE_INFINITY, started?.lease_until ?? Number.POSITIVE_INFINITY);
}

/** A changed schedule counts from now on; an unchanged one continues. */
function syncSchedule({ db, config, now }: SchedulerParts): Promise<void> {
  const { expression = "" } = config.schedule;
  return db.transaction().execute(async (t) => {
    const { id: _, ...row } = await readSchedule(t);
    if (row.expression === expression && row.next_at !== null) return;
    const next_at = expression === "" ? null : nextTime(expression, now());
    await writeSchedule(t, { ...row, expression, next_at, skip_at: null });
  });
}

/** Claims the due run for this process. Runs that must not happen are recorded as skipped. */
function claim({ db, leaseMs = defaultLeaseMs, ...parts }: SchedulerParts): Promise<RunRow | undefined> {
  const at = parts.now();
  return db.transaction().execute(async (t) => {
    const started = await findRunning(t);
    if (started !== undefined && started.lease_until > at) return undefined;
    if (started !== undefined && started.attempt >= attempts) await giveUp(t, started, at);
    await enqueueDueRun(t, parts);
    const run = await findRunning(t);
    if (run === undefined) return undefined;
    const taken = { attempt: run.attempt + 1, lease_until: at + leaseMs };
    await changeRun(t, run, taken);
    return { ...run, ...taken };
  });
}

async function giveUp(t: Db, run: RunRow, at: number): Promise<void> {
  const message = "The server stopped three times while it wrote this post.";
  await changeRun(t, run, { outcome: "failed", reason: "interrupted", message, finished_at: at });
}

/** Adds the due run to the runs, unless one is in progress, and schedules the next one. */
async function enqueueDueRun(t: Db, { now, generator }: Pick<SchedulerParts, "now" | "generator">): Promise<void> {
  const { id: _, ...row } = await readSchedule(t);
  const due = row.next_at;
  if (due === null || due > now() || (await findRunning(t)) !== undefined) return;
  await writeSchedule(t, { ...row, next_at: nextTime(row.expression, now()), skip_at: null });
  const missed = (nextTime(row.expression, due) ?? Number.POSITIVE_INFINITY) <= now();
  const reason = row.skip_at === due ? "byPerson" : missed ? "missed" : generator.available ? null : "noModel";
  await addBegun(t, { id: `schedule-${new Date(due).toISOString()}`, origin: "schedule", due_at: due }, now(), reason);
}

/** Adds a pending run, or one skipped for a reason. */
async function addBegun(
  t: Db,
  run: Pick<BlogRunTable, "id" | "origin" | "due_at">,
  at: number,
  reason: BlogRunTable["reason"],
): Promise<void> {
  const skipped = reason !== null;
  const nothing = { message: null, post_id: null, post_slug: null, post_title: null, attempt: 0, lease_until: 0 };
  const outcome = skipped ? "skipped" : "running";
  const added = await addRun(t, { ...run, ...nothing, started_at: at, finished_at: skipped ? at : null, outcome, reason });
  if (added && skipped) await countRun(t, outcome);
}

function addByPerson({ db, now, generator }: SchedulerParts): Promise<void> {
  return db.transaction().execute(async (t) => {
    if ((await findRunning(t)) !== undefined) return;
    await addBegun(t, { id: randomUUID(), origin: "person", due_at: now() }, now(), generator.available ? null : "noModel");
  });
}

function markNext(db: Db, skip: boolean): Promise<void> {
  return db.transaction().execute(async (t) => {
    const { id: _, ...row } = await readSchedule(t);
    if (row.next_at === null) throw new Problem("conflict", "Nothing is scheduled, so nothing can be skipped.");
    await writeSchedule(t, { ...row, skip_at: skip ? row.next_at : null });
  });
}

/** Executes a claimed run. Never rejects for failures of the run itself. */
async function execute(parts: SchedulerParts, run: RunRow, closing: AbortSignal): Promise<void> {
  const { db, now, leaseMs = defaultLeaseMs } = parts;
  const lost = new AbortController();
  const signal = AbortSignal.any([closing, lost.signal]);
  const beat = async () => {
    if (!(await changeRun(db, run, { lease_until: now() + leaseMs }))) lost.abort(new DOMException("Taken over.", "AbortError"));
  };
  const beating = setInterval(() => void beat().catch(() => undefined), leaseMs / beatsPerLease);
  try {
    await postRun(parts, run, signal);
  } finally {
    clearInterval(beating);
    // Releases the lease at once, so that the stop does not count as a crash.
    if (closing.aborted) await changeRun(db, run, { lease_until: 0, attempt: run.attempt - 1 });
  }
}
