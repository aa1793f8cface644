import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import { errorCodeOf } from "#server/errors/problem.ts";

/**
 * Where process ids mean the same: on Linux the boot of a machine and the namespace of its process ids (containers have their own, and
 * often all the host name and process id 1); elsewhere the host.
 */
const place = processPlace();

function processPlace(): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot}-${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`;
  } catch {
    return hostname();
  }
}

/** A name for a worker that no other has, anywhere. */
export function workerName(): string {
  return `${workerPrefix(process.pid)}${randomBytes(6).toString("hex")}`;
}

/** The prefix of the names of all workers in one process. */
export function workerPrefix(pid: number): string {
  return `${place}:${pid}:`;
}

/** Whether a worker's process is known to be gone: its id is free or ours. Of workers elsewhere only the lease can tell. */
export function isDead(worker: string): boolean {
  const [where, pid] = worker.split(":");
  if (where !== place) return false;
  if (Number(pid) === process.pid) return true;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return errorCodeOf(error) === "ESRCH";
  }
}
