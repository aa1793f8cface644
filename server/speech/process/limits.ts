import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { endFirst } from "#server/threads/priority.ts";

/** The memory that others keep when a process takes all that it may (bytes). */
const reserve = 256 * 1024 * 1024;
/** A process is never limited to less: it could not start. */
const least = 512 * 1024 * 1024;

/**
 * Lets a process fail before the machine runs out of memory, and lets the kernel end it, not the server, if that happens all the same. Does what
 * the system offers (Linux); nothing elsewhere.
 * @param limitBytes what it may take. Default: what is available now, less a reserve
 */
export async function limitMemory(pid: number, limitBytes?: number): Promise<void> {
  const limit = limitBytes ?? (await availableBytes());
  await endFirst(pid);
  if (limit === undefined) return;
  // Of the data, not of the address space: V8 reserves far more of that than it ever uses.
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

/** Whether a process ended because it got no more memory, by what it said last and how it ended. */
export function isOutOfMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const said = `${error.message} ${error.cause instanceof Error ? error.cause.message : ""}`;
  return /bad_alloc|allocate memory|allocation fail|out of memory|not enough memory|\(SIGKILL\)/i.test(said);
}
