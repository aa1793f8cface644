import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describeError, type Log } from "#server/common/log.ts";
import type { Db } from "#server/db/open.ts";
import { blameJobsOf, hasWaitingSuspect, listGivenUp, listWorkers } from "./queries.ts";
import { workerPrefix } from "./worker.ts";

/** Time until the process's first message (milliseconds): it loads the engines first. */
const startMs = 60_000;
/** Time to release its job after being asked to exit (milliseconds). */
const closeMs = 5_000;
/** Delay before a restart after an exit that no job caused (milliseconds). */
const restMs = 30_000;

/** The messages sent to the process. */
export const quarantineMessages = ["wake", "check"] as const;

/**
 * Retries jobs that were running when a process died: one at a time, in a separate process. Only if that process dies while the
 * server survives does the job count as the cause; killing the server, or everything at once, counts against no job.
 */
export interface Quarantine {
  /** There may be a suspect to claim. */
  wake(): void;
  /** A job may have been deleted. */
  check(): void;
  /** Whether a worker's name belongs to this process. */
  owns(worker: string): boolean;
  close(): Promise<void>;
}

interface Parts {
  db: Db;
  log: Log;
  /** Epoch milliseconds. */
  now: () => number;
  /** Fails a job for good that has crashed the process too often. */
  giveUp(id: string): Promise<void>;
}

export interface QuarantineOptions {
  /** The program (TypeScript) that calls `serveQuarantine`. It inherits this process's environment. */
  program: string;
  /** How often the database is polled for suspects. Default 1,000 ms. */
  pollMs?: number;
  /** A process without a message for this long hangs, and is killed. Default 15,000 ms: as long as a lease. */
  silentMs?: number;
}

export function openQuarantine(
  { db, log, now, giveUp }: Parts,
  { program, pollMs = 1_000, silentMs = 15_000 }: QuarantineOptions,
): Quarantine {
  let child: Child | undefined;
  let restsUntil = 0;
  let polling: Promise<void> = Promise.resolve();
  let isClosing = false;

  const poll = async () => {
    for (const id of await listGivenUp(db)) {
      log.warn("job given up", { id });
      await giveUp(id);
    }
    if (isClosing || child !== undefined || performance.now() < restsUntil || !(await hasWaitingSuspect(db, now()))) return;
    const own = startChild(program, silentMs);
    child = own;
    void own.ended.then(() => follow(() => settle(own)));
  };
  /** The job is identified by the worker that still holds it: a process that exits normally has released it. */
  const settle = async ({ prefix, complaint }: Child) => {
    const held = (await listWorkers(db)).filter((worker) => worker.startsWith(prefix));
    if (!isClosing) for (const worker of held) await blameJobsOf(db, worker);
    const reason = complaint();
    if (reason !== undefined) log.warn("quarantine ended", { reason, jobs: held.length });
    if (reason !== undefined && held.length === 0) restsUntil = performance.now() + restMs;
    child = undefined;
    await poll();
  };
  const follow = (work: () => Promise<void>) => {
    polling = polling.then(work).catch((error: unknown) => log.error("quarantine", describeError(error)));
    return polling;
  };
  const wake = () => {
    child?.say("wake");
    void follow(poll);
  };
  const timer = setInterval(wake, pollMs);
  wake();
  return {
    wake,
    check: () => child?.say("check"),
    owns: (worker) => child !== undefined && worker.startsWith(child.prefix),
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await polling;
      await child?.close();
      await polling;
    },
  };
}

interface Child {
  /** The prefix of its workers' names. */
  prefix: string;
  ended: Promise<void>;
  /** After the exit: the reason, if it was abnormal. */
  complaint(): string | undefined;
  say(message: (typeof quarantineMessages)[number]): void;
  close(): Promise<void>;
}

function startChild(program: string, silentMs: number): Child {
  // The inspector's port and a test runner's loader must not be inherited.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child: ChildProcess = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, String(process.pid)], {
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let failure: string | undefined;
  // Node's timers pause while the machine sleeps: a process that was suspended with it is not considered dead.
  let silence = setTimeout(() => child.kill("SIGKILL"), startMs);
  child.on("message", () => {
    clearTimeout(silence);
    silence = setTimeout(() => child.kill("SIGKILL"), silentMs);
  });
  child.on("error", (error) => {
    failure = error.message;
  });
  const ended = once(child, "close").then(
    () => undefined,
    () => undefined,
  );
  void ended.then(() => clearTimeout(silence));
  return {
    prefix: workerPrefix(child.pid ?? -1),
    ended,
    complaint: () => failure ?? child.signalCode ?? (child.exitCode === 0 ? undefined : `code ${child.exitCode}`),
    say: (message) => {
      // The process may be exiting: then no message is needed.
      if (child.connected) child.send(message, () => undefined);
    },
    close: async () => {
      if (child.connected) child.disconnect();
      const late = setTimeout(() => child.kill("SIGKILL"), closeMs);
      await ended;
      clearTimeout(late);
    },
  };
}
