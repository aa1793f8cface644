import type { Bus } from "#server/bus/bus.ts";
import type { Db } from "#server/db/open.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { listWorkers, releaseJobsOf } from "./claim-queries.ts";
import { type Ending, type QuarantineChild, startQuarantineChild, type Watch } from "./quarantine-child.ts";
import { blameJobsOf, excuseJobsOf, hasWaitingSuspect, listGivenUp } from "./suspect-queries.ts";

/**
 * Retries jobs that were running when a process died: one at a time, in a separate process. Only if that process dies by itself while
 * the server survives does the job count as the cause; killing it from outside, the server, or everything at once, does not.
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
  /** Hears what the process has changed in the database. */
  bus: Pick<Bus, "publish">;
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
  /** Wait before a job whose process was ended from outside is tried again, for each time in a row. Default 1,000 ms. */
  killedWaitMs?: number;
  /** Wait before another process is started after one that has ended without a job. Default 30,000 ms. */
  restMs?: number;
}

/** The process, and what is known of its end until that is settled in the database. */
interface Running {
  child: QuarantineChild;
  ending?: Ending;
}

export function openQuarantine(
  { db, log, now, bus, giveUp }: Parts,
  { program, pollMs = 1_000, silentMs = 15_000, killedWaitMs = 1_000, restMs = 30_000 }: QuarantineOptions,
): Quarantine {
  let running: Running | undefined;
  let restsUntil = 0;
  let polling: Promise<void> | undefined;
  let isWanted = false;
  let isClosing = false;

  const poll = async () => {
    // If the database does not answer, the next poll settles it.
    if (running?.ending !== undefined) {
      await settle(running.child.prefix, running.ending);
      running = undefined;
    }
    for (const id of await listGivenUp(db)) {
      log.warn("job given up", { id });
      await giveUp(id);
    }
    if (isClosing || running !== undefined || performance.now() < restsUntil || !(await hasWaitingSuspect(db, now()))) return;
    const onChange: Watch["onChange"] = ({ topic, message }) => bus.publish(topic, message);
    const own: Running = { child: startQuarantineChild(program, { silentMs, onChange }) };
    running = own;
    void own.child.ended.then((ending) => {
      own.ending = ending;
      return pollSoon();
    });
  };
  /** The job is identified by the worker that still holds it: a process that exits normally has released it. */
  const settle = async (prefix: string, { kind, reason }: Ending) => {
    const held = (await listWorkers(db)).filter((worker) => worker.startsWith(prefix));
    for (const worker of held) {
      if (isClosing) await releaseJobsOf(db, worker);
      else if (kind === "killed") await excuseJobsOf(db, worker, { at: now(), waitMs: killedWaitMs });
      else await blameJobsOf(db, worker);
    }
    if (kind === "released") return;
    log.warn("quarantine ended", { kind, reason, jobs: held.length });
    if (held.length === 0) restsUntil = performance.now() + restMs;
  };
  const pollAll = async () => {
    while (isWanted) {
      isWanted = false;
      await poll().catch((error: unknown) => log.error("quarantine", describeError(error)));
    }
    polling = undefined;
  };
  /** One at a time, and one more for whatever is wanted meanwhile: with a slow database they would queue up. */
  const pollSoon = () => {
    isWanted = true;
    polling ??= pollAll();
    return polling;
  };
  const wake = () => {
    running?.child.say("wake");
    void pollSoon();
  };
  const timer = setInterval(wake, pollMs);
  wake();
  return {
    wake,
    check: () => running?.child.say("check"),
    owns: (worker) => running !== undefined && worker.startsWith(running.child.prefix),
    close: async () => {
      isClosing = true;
      clearInterval(timer);
      await polling;
      await running?.child.close();
      await polling;
    },
  };
}
