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

// `npm run backup`, and what the server starts when it is time or somebody asks for it (backup/schedule.ts, with --run): writes a backup
// of the database and the files, reads it back and compares it. The server may run or not.

process.umask(0o077);
try {
  const { values } = parseArgs({ options: { run: { type: "string" } } });
  const config = readConfig(process.env);
  const { dataDir, databaseUrl } = config;
  if (databaseUrl === undefined && !existsSync(join(dataDir, "parlance.db"))) {
    throw new Error(`There is no database in ${dataDir}. PARLANCE_DATA names the data folder.`);
  }
  await using db = connectDb(dataDir, databaseUrl);
  // This program may be of another release than the server: its database is not brought up to date, and notes nothing then.
  const run = (await isUpToDate(db)) ? await runOf(db, config, values.run) : undefined;
  const { path, size, entries } = run === undefined ? await make(config, Date.now()) : await noted(db, run, config);
  console.log(`${path} (${(size / 1024 / 1024).toFixed(1)} MB, ${entries} entries) was written, read back and compared.`);
  if (config.bucket !== undefined && config.backup.bucketKeepsFiles) {
    console.log(
      "Of the bucket it has only the list of objects (BACKUP_BUCKET=list): the bucket itself must keep what is changed in it.",
    );
  }
  for (const name of await pruneBackups(config.backup.dir, config.backup.keep))
    console.log(`${name} is older than the ${config.backup.keep} that are kept, and was deleted.`);
  if (run !== undefined) await removeDeleted(db, config.backup.dir);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function runOf(db: Db, { backup }: Config, id: string | undefined): Promise<BackupRow | undefined> {
  return id === undefined ? beginRun(db, { config: backup, now: Date.now() }) : findRun(db, id);
}

/** Makes it while the database says how far it is. */
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
