import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rm, rmdir, stat, utimes, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { errorCodeOf } from "#server/errors/problem.ts";

/** A hold of another machine (a container with the same folder) that was not renewed for this long is stale (ms). */
const silentMs = 5 * 60_000;

const Hold = v.object({ pid: v.number(), host: v.string(), started: v.string() });

/** Marks across processes: files with the process that holds, stale when that process is gone. */
export interface Holds {
  /** Marks `id` until the answer is disposed of. */
  take(id: string): Promise<AsyncDisposable>;
  /** Whether any process holds it; what gone processes left behind is removed. */
  isHeld(id: string): Promise<boolean>;
  /** Whether another process does. */
  isHeldElsewhere(id: string): Promise<boolean>;
  /** Says that this process still holds what it holds. */
  renew(): Promise<void>;
  /** Gives back everything that this process holds. */
  close(): Promise<void>;
}

/** @param folder contains a folder per id, with a file per hold */
export function openHolds(folder: string): Holds {
  const own = new Set<string>();
  const release = async (path: string) => {
    await rm(path, { force: true });
    // Not earlier: an existing file would look like another process's.
    own.delete(path);
  };
  const heldElsewhere = async (id: string) => {
    let isHeld = false;
    for (const name of await readdir(join(folder, id)).catch(() => [])) {
      const path = join(folder, id, name);
      if (own.has(path)) continue;
      if (await isAlive(path)) isHeld = true;
      else await rm(path, { force: true });
    }
    return isHeld;
  };

  return {
    take: async (id) => {
      const path = join(folder, id, randomUUID());
      own.add(path);
      const hold = JSON.stringify({ pid: process.pid, host: hostname(), started: await startOf(process.pid) });
      try {
        await writeHold(path, hold);
      } catch (error) {
        own.delete(path);
        throw error;
      }
      return { [Symbol.asyncDispose]: () => release(path) };
    },
    isHeld: async (id) => {
      const isHeld = (await heldElsewhere(id)) || [...own].some((path) => dirname(path) === join(folder, id));
      // A hold that is taken at this moment makes the folder again.
      if (!isHeld) await rmdir(join(folder, id)).catch(() => undefined);
      return isHeld;
    },
    isHeldElsewhere: heldElsewhere,
    renew: async () => {
      const now = new Date();
      for (const path of own) await utimes(path, now, now).catch(() => undefined);
    },
    close: async () => {
      for (const path of own) await release(path);
    },
  };
}

async function writeHold(path: string, hold: string): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    await mkdir(join(path, ".."), { recursive: true });
    try {
      return await writeFile(path, hold, { flag: "wx" });
    } catch (error) {
      // Another process has removed the empty folder in between.
      if (errorCodeOf(error) !== "ENOENT" || attempt > 3) throw error;
    }
  }
}

async function isAlive(path: string): Promise<boolean> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return false;
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), Hold), text);
  const isFresh = async () => {
    const info = await stat(path).catch(() => undefined);
    return info !== undefined && Date.now() - info.mtimeMs < silentMs;
  };
  // Half written: by a process that is writing it now, or that ended while it did.
  if (!parsed.success) return isFresh();
  const { pid, host, started } = parsed.output;
  if (host !== hostname()) return isFresh();
  return isRunning(pid) && (await startOf(pid)) === started;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) === "EPERM";
  }
}

/**
 * The start time of a process as the system reports it, which distinguishes it from a later one with the same id. Empty
 * if unknown.
 */
async function startOf(pid: number): Promise<string> {
  try {
    const [line, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, "utf8"),
      readFile("/proc/sys/kernel/random/boot_id", "utf8"),
    ]);
    // The name, in brackets, may hold anything; the start is the 22nd field, the 20th after the name.
    return `${line.slice(line.lastIndexOf(")") + 2).split(" ")[19] ?? ""}@${boot.trim()}`;
  } catch {
    return "";
  }
}
