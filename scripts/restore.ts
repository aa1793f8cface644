import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { restoreBackup, undoRestore } from "#server/backup/restore.ts";
import { readConfig } from "#server/config.ts";

// `npm run restore -- <backup> [--identity <file>]`: puts a backup in the place of the data folder's content, which is kept as a restore
// point. `npm run restore -- --undo`: after a restore that was cut off. The server must not run.

const usage = "npm run restore -- <backup> [--identity <file with your age identity>], or npm run restore -- --undo";

/** The secret key in a file as age-keygen writes it. */
async function identityIn(file: string): Promise<string> {
  const [key] = /^AGE-SECRET-KEY-\S+$/m.exec(await readFile(file, "utf8")) ?? [];
  if (key === undefined) throw new Error(`${file} holds no age identity (AGE-SECRET-KEY-…).`);
  return key;
}

async function run(): Promise<string> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { identity: { type: "string" }, undo: { type: "boolean", default: false } },
  });
  const { dataDir, databaseUrl, backup } = readConfig(process.env);
  if (databaseUrl !== undefined) throw new Error("The database is PostgreSQL: restore it with pg_restore (docs/operating.md).");
  if (values.undo) {
    const undone = await undoRestore(dataDir, backup.dir);
    return undone ? "What was there before the restore is back." : "No restore was cut off.";
  }
  const [path] = positionals;
  if (path === undefined) throw new Error(usage);
  const identity = values.identity === undefined ? undefined : await identityIn(values.identity);
  const options = { path: resolve(path), identity, dataDir, backupDir: backup.dir, now: Date.now() };
  const { manifest, point } = await restoreBackup(options);
  return `Restored the backup of ${manifest.createdAt} (version ${manifest.version}). What was there before is kept in ${point}; delete it when all is well.`;
}

process.umask(0o077);
try {
  console.log(await run());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
