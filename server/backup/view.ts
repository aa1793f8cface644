import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { AdminBackups, Backup } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { nextTime } from "#server/scheduled-posting/cron.ts";
import type { BackupConfig } from "./config.ts";
import { backupTime } from "./format.ts";
import { listBackups } from "./prune.ts";
import { type BackupRow, listRuns } from "./queries.ts";
import { isUnderWay, thisHost } from "./runs.ts";

interface Parts {
  config: { backup: BackupConfig; bucket: object | undefined };
  db: Db;
}

/** The backups that the database knows, on any machine, and those in this machine's folder. */
export async function viewBackups({ config: { backup, bucket }, db }: Parts): Promise<AdminBackups> {
  // The machine's clock: backups are made by processes of their own.
  const now = Date.now();
  const runs = await listRuns(db);
  const here = await listBackups(backup.dir);
  const isHere = ({ host, folder }: BackupRow) => host === thisHost && folder === backup.dir;
  const made = runs.filter((run) => run.outcome === "made" && (!isHere(run) || here.includes(run.name)));
  const known = new Set(made.filter(isHere).map(({ name }) => name));
  const unknown = await Promise.all(here.filter((name) => !known.has(name)).map((name) => foundBackup(backup.dir, name)));
  const backups = [...made.map(knownBackup), ...unknown].toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  const running = runs.find((run) => isUnderWay(run, now));
  const last = runs.find((run) => !isUnderWay(run, now));
  return {
    backups,
    running: running
      ? { host: running.host, startedAt: iso(running.started_at), phase: running.phase, done: running.done }
      : null,
    failure: last !== undefined && last.outcome !== "made" ? failureOf(last) : null,
    nextAt: nextOf(backup.schedule, now),
    keep: backup.keep,
    folder: backup.dir,
    isEncrypted: backup.recipient !== undefined,
    files: bucket === undefined ? "folder" : backup.bucketKeepsFiles ? "bucketKeepsThem" : "bucket",
  };
}

const iso = (at: number): string => new Date(at).toISOString();

function failureOf({ finished_at, beat_at, message }: BackupRow): AdminBackups["failure"] {
  const said = message === "" ? "The process ended before the backup was complete." : message;
  return { at: iso(finished_at ?? beat_at), message: said };
}

function knownBackup({ name, host, folder, started_at, finished_at, size }: BackupRow): Backup {
  const checkedAt = iso(finished_at ?? started_at);
  return { ...named(folder, name), host, createdAt: iso(started_at), size: size ?? 0, checkedAt };
}

/** A backup that was copied here, or was made before the current database. */
async function foundBackup(folder: string, name: string): Promise<Backup> {
  const size = await stat(join(folder, name)).then(
    (info) => info.size,
    () => 0,
  );
  return { ...named(folder, name), host: thisHost, createdAt: iso(backupTime(name) ?? 0), size, checkedAt: null };
}

function named(folder: string, name: string): Pick<Backup, "name" | "folder" | "isEncrypted" | "command"> {
  const isEncrypted = name.endsWith(".age");
  const command = `npm run restore -- ${quotedForShell(join(folder, name))}${isEncrypted ? " --identity key.txt" : ""}`;
  return { name, folder, isEncrypted, command };
}

/** A path as a shell takes it. */
function quotedForShell(path: string): string {
  return /^[\w./@:+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** @param now epoch ms */
function nextOf(schedule: string | undefined, now: number): string | null {
  if (schedule === undefined) return null;
  const next = nextTime(schedule, now);
  return next === null ? null : iso(next);
}
