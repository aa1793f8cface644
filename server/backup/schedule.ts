import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants, setPriority } from "node:os";
import { Cron } from "croner";
import { describeError, type Log } from "#server/common/log.ts";

/** How much of what a backup that failed says goes to the log (characters). */
const maxComplaint = 500;

interface Parts {
  /** A cron expression in UTC. */
  schedule: string;
  /** The program that makes one backup, with this process's environment. */
  program: string;
  log: Log;
}

/**
 * Makes backups when it is time, one at a time, each in a process of its own with low priority: neither copying nor comparing holds up
 * requests.
 */
export function scheduleBackups({ schedule, program, log }: Parts): { now(): Promise<boolean>; close(): Promise<void> } {
  const stopping = new AbortController();
  let running: Promise<boolean> | undefined;
  const now = () => {
    running ??= makeBackup(program, stopping.signal)
      .then((complaint) => {
        if (complaint === undefined) log.info("backup made");
        else if (!stopping.signal.aborted) log.error("backup failed", { complaint: complaint.slice(0, maxComplaint) });
        return complaint === undefined;
      })
      .catch((error: unknown) => {
        log.error("backup failed", describeError(error));
        return false;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const timer = new Cron(schedule, { timezone: "UTC", unref: true }, () => void now());
  return {
    now,
    close: async () => {
      timer.stop();
      stopping.abort();
      await running;
    },
  };
}

/** @returns what went wrong */
async function makeBackup(program: string, signal: AbortSignal): Promise<string | undefined> {
  const { NODE_OPTIONS: _, ...env } = process.env;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program], {
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
  return code === 0 ? undefined : said.trim() || `code ${String(code)}`;
}
