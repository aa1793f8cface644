import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { endFirst } from "#server/threads/priority.ts";

/** Memory left for others when a process may take all the rest (bytes). */
const reserve = 256 * 1024 * 1024;
/** A process never gets a lower limit, because it could not start. */
const least = 512 * 1024 * 1024;

/**
 * Makes a process fail before the machine runs out of memory. If that happens all the same, the kernel ends the
 * process, not the server. Works on Linux; does nothing elsewhere.
 * @param limitBytes the process's limit. Default: the available memory less a reserve
 */
export async function limitMemory(pid: number, limitBytes?: number): Promise<void> {
  const limit = limitBytes ?? (await availableBytes());
  await endFirst(pid);
  if (limit === undefined) return;
  // Limits the data, not the address space: V8 reserves far more address space than it ever uses.
  const { promise, resolve } = Promise.withResolvers<void>();
  const setting = spawn("prlimit", ["--pid", String(pid), `--data=${limit}:${limit}`], { stdio: "ignore" });
  setting.once("error", () => resolve());
  setting.once("close", () => resolve());
  await promise;
}

async function availableBytes(): Promise<number | undefined> {
  try {
    const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(await readFile("/proc/meminfo", "utf8"))?.[1];
    if (kilobytes === undefined) return undefined;
    const limit = process.constrainedMemory();
    const available = Number(kilobytes) * 1024;
    return Math.max(Math.min(available, limit > 0 ? limit : available) - reserve, least);
  } catch {
    return undefined;
  }
}

/** Whether a process ended for lack of memory, judged by its last message and by how it ended. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const said = `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`;
  return /bad_alloc|allocate memory|allocation fail|out of memory|not enough memory|\(SIGKILL\)/i.test(said);
}
