import { existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { openDb } from "#server/db/open.ts";
import { databaseName, filesPrefix, isReplaced, journalName, type Manifest, pointsFolder, stagingName } from "./format.ts";
import { readBackup } from "./read.ts";
import { checkDatabase, syncFolder } from "./write.ts";

const Journal = v.object({ point: v.string(), before: v.array(v.string()) });

export interface RestoreOptions {
  /** The archive. */
  path: string;
  /** age's secret key, for an encrypted one. */
  identity: string | undefined;
  /** Absolute. */
  dataDir: string;
  /** Absolute. */
  backupDir: string;
  /** Epoch ms. */
  now: number;
  /** Whether what was restored works. Default: today's code opens it. @throws when it does not */
  check?(dataDir: string): Promise<void>;
}

export interface Restored {
  manifest: Manifest;
  /** Where what was there before is kept. */
  point: string;
}

/**
 * Puts the content of a backup in the place of what is there: the archive is read and checked as a whole first, then what is there becomes
 * a restore point, by renaming. When what was restored does not work, everything is as it was.
 * @throws with a sentence, when a server runs, the archive is damaged or the check fails
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { path, identity, dataDir, backupDir, now, check = opens } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await undoRestore(dataDir, backupDir);
  refuseWhileInUse(dataDir);
  const staging = join(dataDir, stagingName);
  await rm(staging, { recursive: true, force: true });
  try {
    const { manifest } = await readBackup(path, { identity, write: (name) => create(join(staging, placeOf(name))) });
    checkDatabase(join(staging, databaseName));
    const point = await swap(dataDir, backupDir, now);
    try {
      await check(dataDir);
    } catch (error) {
      await undoRestore(dataDir, backupDir);
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`What was restored does not work, so everything is as it was before: ${reason}`, { cause: error });
    }
    await rm(join(dataDir, journalName));
    await syncFolder(dataDir);
    return { manifest, point };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Puts back what was there before a restore that was cut off. @returns whether there was one */
export async function undoRestore(dataDir: string, backupDir: string): Promise<boolean> {
  const journal = join(dataDir, journalName);
  if (!existsSync(journal)) return false;
  const { point, before } = v.parse(Journal, JSON.parse(await readFile(journal, "utf8")));
  const moved = new Set(existsSync(point) ? await readdir(point) : []);
  for (const name of await readdir(dataDir)) {
    const isNew = isReplaced(dataDir, name, backupDir) && (moved.has(name) || !before.includes(name));
    if (isNew) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  for (const name of moved) await rename(join(point, name), join(dataDir, name));
  await rm(point, { recursive: true, force: true });
  await rm(join(dataDir, stagingName), { recursive: true, force: true });
  await rm(journal);
  return true;
}

/** Exchanges what is there for what is staged. @returns the restore point */
async function swap(dataDir: string, backupDir: string, now: number): Promise<string> {
  const point = join(dataDir, pointsFolder, new Date(now).toISOString().replaceAll(":", "-"));
  const before = (await readdir(dataDir)).filter((name) => isReplaced(dataDir, name, backupDir));
  await mkdir(point, { recursive: true, mode: 0o700 });
  await using journal = await open(join(dataDir, journalName), "wx", 0o600);
  await journal.writeFile(JSON.stringify({ point, before }));
  await journal.sync();
  await syncFolder(dataDir);
  for (const name of before) await rename(join(dataDir, name), join(point, name));
  const staging = join(dataDir, stagingName);
  for (const name of await readdir(staging)) await rename(join(staging, name), join(dataDir, name));
  await syncFolder(dataDir);
  return point;
}

/** A server, a worker or a script that has the database open holds a lock on it, which keeps others from changing its journal mode. */
function refuseWhileInUse(dataDir: string): void {
  const path = join(dataDir, databaseName);
  if (!existsSync(path)) return;
  const refusal = "Parlance is running on this data folder. Stop it first, and its workers.";
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    // All that the log holds is in the file then: a restore point is complete without it.
    const answer = db.prepare("pragma journal_mode = delete").get();
    if (answer?.journal_mode !== "delete") throw new Error(refusal);
  } catch (error) {
    if (error instanceof Error && /locked/.test(error.message)) throw new Error(refusal, { cause: error });
    throw error;
  } finally {
    db.close();
  }
}

async function opens(dataDir: string): Promise<void> {
  await (await openDb(dataDir)).destroy();
}

function placeOf(name: string): string {
  return name.startsWith(filesPrefix) ? name.slice(filesPrefix.length) : name;
}

async function create(path: string) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, "wx", 0o600);
  return {
    write: async (chunk: Uint8Array) => {
      await file.writeFile(chunk);
    },
    close: async () => {
      await file.sync();
      await file.close();
    },
  };
}
