import { pruneBackups } from "./backup/kept.ts";
import { writeBackup } from "./backup/write.ts";
import { ConfigError, readConfig } from "./config.ts";

// `npm run backup`, and what the server starts when it is time (backup/schedule.ts): writes a backup of the data folder, reads it back and compares it. The
// server may run or not.

process.umask(0o077);
try {
  const { dataDir, databaseUrl, bucket, backup } = readConfig(process.env);
  if (databaseUrl !== undefined) {
    throw new Error(
      "The database is PostgreSQL: back it up with pg_dump, and the files with your storage's means (docs/operating.md).",
    );
  }
  const { path, size, entries } = await writeBackup({ ...backup, dataDir, backupDir: backup.dir, now: Date.now() });
  console.log(`${path} (${(size / 1024 / 1024).toFixed(1)} MB, ${entries} entries) was written, read back and compared.`);
  if (bucket !== undefined) console.log("What is in the bucket is not in it: use the bucket's own means (docs/operating.md).");
  for (const name of await pruneBackups(backup.dir, backup.keep))
    console.log(`${name} is older than the ${backup.keep} that are kept, and was deleted.`);
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
