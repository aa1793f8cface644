import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { Cron } from "croner";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { BackupConfig } from "./config.ts";
import type { BackupRow } from "./queries.ts";
import { beginRun, endFailed } from "./runs.ts";

/** The maximum characters of a failed backup's output in the log. */
const maxComplaint = 500;
/** Due times are rounded to the minute (ms), so that all processes agree. */
const minuteMs = 60_000;

interface Parts {
  config: Pick<BackupConfig, "schedule" | "dir" | "recipient">;
  db: Db;
  program: string;
  /** Additional environment variables of the backup process: the source and the destination. */
  env: Readonly<Record<string, string>>;
  log: Log;
}

/**
 * Makes backups on request and by schedule, one at a time among all processes. Each runs in its own process with low
 * priority, so that copies and comparisons don't delay requests. Times are the machine's, not an injected clock's.
 */
export interface Backups {
  /**
   * Starts a backup without waiting for its end.
   * @returns its file's name
   * @throws Problem `conflict` while one is running
   */
  begin(): Promise<string>;
  /**
   * Makes the due backup.
   * @returns whether it was made; also false if another process makes it or has failed to
   */
  runDue(dueAt: number): Promise<boolean>;
  close(): Promise<void>;
}

export function openBackups({ config, db, program, env, log }: Parts): Backups {
  const stopping = new AbortController();
  const running = new Set<Promise<boolean>>();
  const make = async (run: BackupRow): Promise<boolean> => {
    const complaint = await runProgram([program, "--run", run.id], env, stopping.signal).catch((error: unknown) => String(error));
    if (complaint === undefined) {
      log.info("backup made");
      return true;
    }
    await endFailed(db, run, { now: Date.now(), message: complaint }).catch(() => undefined);
    if (!stopping.signal.aborted) log.error("backup failed", { complaint: complaint.slice(0, maxComplaint) });
    return false;
  };
  const start = (run: BackupRow): Promise<boolean> => {
    const making = make(run).finally(() => running.delete(making));
    running.add(making);
    return making;
  };
  const runDue = async (dueAt: number): Promise<boolean> => {
    try {
      const run = await beginRun(db, { config, now: Date.now(), dueAt });
      return run !== undefined && (await start(run));
    } catch (error) {
      if (error instanceof Problem) log.info("a backup is already running");
      else log.error("backup failed", describeError(error));
      return false;
    }
  };
  const { schedule } = config;
  const timer =
    schedule === undefined
      ? undefined
      : new Cron(schedule, { timezone: "UTC", unref: true }, () => void runDue(Math.floor(Date.now() / minuteMs) * minuteMs));
  return {
    begin: async () => {
      const run = await beginRun(db, { config, now: Date.now() });
      if (run === undefined) throw new Problem("conflict");
      void start(run);
      return run.name;
    },
    runDue,
    close: async () => {
      timer?.stop();
      stopping.abort();
      await Promise.all(running);
    },
  };
}

/** @returns what went wrong */
async function runProgram(
  args: readonly string[],
  own: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const env = { ...inherited, ...own };
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
    env,
    signal,
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said += text.slice(0, maxComplaint);
  });
  const [code] = await once(child, "close");
  return code === 0 ? undefined : said.trim() || `The backup process ended with code ${String(code)}.`;
}
