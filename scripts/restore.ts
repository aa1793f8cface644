import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { parseArgs } from "node:util";
import { restoreBackup, restorePoint, undoRestore } from "#server/backup/restore.ts";
import { openStores, type Stores } from "#server/backup/stores.ts";
import { readConfig } from "#server/config/config.ts";
import { runCommand } from "./run-command.ts";

// `npm run restore -- <backup> [--identity <file>]` replaces the data folder's content by a backup, and keeps the old
// content as a restore point. `npm run restore -- --point <name>` restores such a point. `npm run restore -- --undo` is
// for use after an interrupted restore. The server must not run.

const usage =
  "npm run restore -- <backup> [--identity <file with your age identity>], npm run restore -- --point <restore point>, or npm run restore -- --undo";

/** The secret key in a file written by age-keygen. */
async function identityIn(file: string): Promise<string> {
  const [key] = /^AGE-SECRET-KEY-\S+$/m.exec(await readFile(file, "utf8")) ?? [];
  if (key === undefined) throw new Error(`${file} has no age identity (AGE-SECRET-KEY-…).`);
  return key;
}

async function run(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { identity: { type: "string" }, point: { type: "string" }, undo: { type: "boolean", default: false } },
  });
  const config = readConfig(process.env);
  const { dataDir, backup } = config;
  using stores = await openStores(config);
  if (values.undo) {
    const undone = await undoRestore(dataDir, backup.dir, stores);
    return undone ? "The data from before the restore is back." : "No restore was interrupted.";
  }
  const place = { ...stores, dataDir, backupDir: backup.dir, now: Date.now() };
  if (values.point !== undefined) {
    // A shell may complete the name to the folder's path.
    const name = basename(values.point);
    const { point } = await restorePoint({ ...place, name });
    return `The data from before the restore of ${name} is back. ${locatePoint(point, stores)}`;
  }
  const [path] = positionals;
  if (path === undefined) throw new Error(usage);
  const identity = values.identity === undefined ? undefined : await identityIn(values.identity);
  const { manifest, point, missing } = await restoreBackup({ ...place, path: resolve(path), identity });
  const done = `Restored the backup of ${manifest.createdAt} (version ${manifest.version}). ${locatePoint(point, stores)}`;
  return [done, ...complaintOf(missing)].join("\n");
}

function locatePoint(point: string, { bucket }: Stores): string {
  const there = bucket === undefined ? "" : ` In the bucket it is restore-points/${basename(point)}/.`;
  return `The previous data is in ${point}. Delete it when everything works.${there}`;
}

/** The warning about objects that are missing in a bucket that should have kept them itself. */
function complaintOf(missing: readonly string[]): string[] {
  if (missing.length === 0) return [];
  process.exitCode = 2;
  return [
    `${missing.length} objects (bytes, name) in the bucket are missing or differ. Restore them from the bucket's versions:`,
    ...missing,
  ];
}

process.umask(0o077);
await runCommand(run);
