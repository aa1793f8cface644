import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { pruneBackups } from "#server/backup/prune.ts";
import { type BackupRow, findRun } from "#server/backup/queries.ts";
import { beginRun, endFailed, finishBackup, removeDeleted, reportRun } from "#server/backup/runs.ts";
import { openStores } from "#server/backup/stores.ts";
import { type WrittenBackup, writeBackup } from "#server/backup/write.ts";
import { type Config, readConfig } from "#server/config/config.ts";
import { connectDb, type Db, isUpToDate } from "#server/db/open.ts";

// `npm run backup`; the server also starts this program when a backup is due or requested (backup/schedule.ts, with
// --run). It writes a backup of the database and the files, reads it back and compares it, whether or not the server
// runs.

process.umask(0o077);
try {
  const { values } = parseArgs({ options: { run: { type: "string" } } });
  const config = readConfig(process.env);
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === undefined && !existsSync(join(dataDir, "parlance.db"))) {
    throw new Error(`No database was found in ${dataDir}. Set PARLANCE_DATA to the data folder.`);
  }
  await using db = connectDb(dataDir, databaseUrl);
  // This program may be from another release than the server. It does not upgrade the server's database, and then
  // records nothing there.
  const run = (await isUpToDate(db)) ? await runOf(db, config, values.run) : undefined;
  const { path, size, entries } = run === undefined ? await make(config, Date.now()) : await noted(db, run, config);
  console.log(`Wrote ${path} (${(size / 1024 / 1024).toFixed(1)} MB, ${entries} entries), read it back and compared it.`);
  if (config.bucket !== undefined && config.backup.bucketKeepsFiles) {
    console.log(
      "It has only a list of the bucket's objects (BACKUP_BUCKET=list). Turn on versions in the bucket, so that changed objects are kept.",
    );
  }
  for (const name of await pruneBackups(config.backup.dir, config.backup.keep))
    console.log(`Deleted ${name}: only the newest ${config.backup.keep} backups are kept.`);
  if (run !== undefined) await removeDeleted(db, config.backup.dir);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function runOf(db: Db, { backup }: Config, id: string | undefined): Promise<BackupRow | undefined> {
  return id === undefined ? beginRun(db, { config: backup, now: Date.now() }) : findRun(db, id);
}

/** Makes the backup, and records its progress in the database. */
async function noted(db: Db, run: BackupRow, config: Config): Promise<WrittenBackup> {
  try {
    await using report = reportRun(db, run, Date.now);
    const written = await make(config, run.started_at, report.onProgress);
    await finishBackup(db, run, { now: Date.now(), size: written.size });
    return written;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await endFailed(db, run, { now: Date.now(), message }).catch(() => undefined);
    throw error;
  }
}

/** @param now epoch ms */
async function make(
  config: Config,
  now: number,
  onProgress?: Parameters<typeof writeBackup>[0]["onProgress"],
): Promise<WrittenBackup> {
  const { dataDir, backup } = config;
  using stores = await openStores(config);
  const { dir: backupDir, recipient, bucketKeepsFiles } = backup;
  return writeBackup({ ...stores, dataDir, backupDir, recipient, bucketKeepsFiles, now, ...(onProgress && { onProgress }) });
}
