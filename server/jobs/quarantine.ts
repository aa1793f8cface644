import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { describeError, type Log } from "#server/common/log.ts";
import type { Db } from "#server/db/open.ts";
import { blameJobsOf, hasWaitingSuspect, listGivenUp, listWorkers } from "./queries.ts";
import { workerPrefix } from "./worker.ts";

/** The process may take this long to say its first word (milliseconds): it opens the engines. */
const startMs = 60_000;
/** How long it gets to give its job back when it is to end (milliseconds). */
const closeMs = 5_000;
/** After an end that no job has to do with, it is not started again for this long (milliseconds). */
const restMs = 30_000;

/** What the process is told. */
export const quarantineMessages = ["wake", "check"] as const;

/**
 * Where jobs go on that were under way when a process died. One at a time, in a process of their own: only when that one dies, and the
 * server lives to see it, is a job to blame. Whoever kills the server, or everything at once, blames nobody.
 */
export interface Quarantine {
  /** There may be a suspect. */
  wake(): void;
  /** A job may have been taken away. */
  check(): void;
  /** Whether a worker's name is that of the process here. */
  owns(worker: string): boolean;
  close(): Promise<void>;
}

interface Parts {
  db: Db;
  log: Log;
  /** Epoch milliseconds. */
  now: () => number;
  /** Ends a job for good that has ended its process too often. */
  giveUp(id: string): Promise<void>;
}

export interface QuarantineOptions {
  /** The program (TypeScript) that calls `serveQuarantine`. It is given this process's environment. */
  program: string;
  /** How often suspects are looked for. Default 1,000 ms. */
  pollMs?: number;
  /** A process that says nothing for this long hangs, and is ended. Default 15,000 ms: as long as a lease. */
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
  /** Its job is known by the name of the worker that held it: one that ended in good order has given it back. */
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
  /** What its workers' names begin with. */
  prefix: string;
  ended: Promise<void>;
  /** Once it has ended: why, if it was not in good order. */
  complaint(): string | undefined;
  say(message: (typeof quarantineMessages)[number]): void;
  close(): Promise<void>;
}

function startChild(program: string, silentMs: number): Child {
  // An inspector's port or a test runner's loader must not be taken over.
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child: ChildProcess = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, String(process.pid)], {
    env,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  let failure: string | undefined;
  // Node's timers stand still while the machine sleeps: whoever slept as well is not taken for dead.
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
      // It may be about to end: then there is nothing to be told.
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
