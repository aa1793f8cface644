import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as v from "valibot";
import { dumpPostgres, findMark, refuseWhilePostgresIsUsed, replaceInPostgres } from "#server/db/dump.ts";
import { openDb } from "#server/db/open.ts";
import type { Bucket } from "#server/storage/bucket.ts";
import { syncFolder } from "#server/storage/files.ts";
import {
  bucketPrefix,
  databaseName,
  filesPrefix,
  isReplaced,
  journalName,
  type Manifest,
  objectsName,
  stagingName,
} from "./format.ts";
import { readBackup } from "./read.ts";
import { clearStaging, findMissing, installStaged, removePoint, savePoint, stageObject, undoInBucket } from "./restore-bucket.ts";
import { type About, describePoint, dumpFolder, findPoint, ownEntries, pointAt, stagePoint } from "./restore-point.ts";
import type { Stores } from "./stores.ts";
import { checkDatabase } from "./write.ts";

const Journal = v.object({
  point: v.string(),
  before: v.array(v.string()),
  /** Whether the restore is of a database in PostgreSQL, and of files in a bucket. */
  postgres: v.optional(v.boolean(), false),
  bucket: v.optional(v.boolean(), false),
});

interface ReplaceOptions extends Stores {
  /** Absolute. */
  dataDir: string;
  /** Absolute. */
  backupDir: string;
  /** Epoch ms. */
  now: number;
  /**
   * Checks the restored data. Default: today's code opens it.
   * @throws if it does not work
   */
  check?(dataDir: string): Promise<void>;
}

export interface RestoreOptions extends ReplaceOptions {
  path: string;
  /** age's secret key, for an encrypted one. */
  identity: string | undefined;
}

export interface Restored<Of = Manifest> {
  manifest: Of;
  /** The folder of the previous data. */
  point: string;
  /** Objects that the bucket should have kept itself but has not: lines of a size in bytes and a key. */
  missing: string[];
}

/**
 * Replaces the current data by the content of a backup. The archive is read and checked as a whole first. Then the
 * current data becomes a restore point: in the data folder by renaming, in PostgreSQL and a bucket by copying. If the
 * restored data does not work, the previous data is put back. The database may change between a file and PostgreSQL.
 * @throws Error with a message if a server runs, the archive is damaged or the check fails
 */
export function restoreBackup({ path, identity, ...options }: RestoreOptions): Promise<Restored> {
  const { bucket } = options;
  return replaceBy(options, async (staging) => {
    const { manifest } = await readBackup(path, { identity, write: (name) => stage(name, staging, bucket) });
    return manifest;
  });
}

/**
 * Restores the data from before an earlier restore. It is copied, so that it stays, and the current data becomes
 * another restore point.
 * @param options `name`: as in `restore-points/`, "2026-03-01T12-00-00.000Z"
 * @throws Error with a message if a server runs, the point does not exist or the check fails
 */
export function restorePoint({ name, ...options }: ReplaceOptions & { name: string }): Promise<Restored<About>> {
  const { dataDir, bucket } = options;
  return replaceBy(options, async (staging) => stagePoint(await findPoint(dataDir, name), name, staging, bucket));
}

/** @param fill writes the new data into an empty folder, and its objects beside those of the bucket */
async function replaceBy<Of extends About>(
  options: ReplaceOptions,
  fill: (staging: string) => Promise<Of>,
): Promise<Restored<Of>> {
  const { dataDir, backupDir, databaseUrl, bucket, now, check = (folder) => opens(folder, databaseUrl) } = options;
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  await undoRestore(dataDir, backupDir, options);
  if (databaseUrl === undefined) refuseWhileInUse(dataDir);
  else await refuseWhilePostgresIsUsed(databaseUrl);
  const staging = join(dataDir, stagingName);
  const clear = async () => {
    await rm(staging, { recursive: true, force: true });
    if (bucket !== undefined) await clearStaging(bucket);
  };
  await clear();
  try {
    const manifest = await fill(staging);
    refuseOtherPlace(manifest, bucket);
    checkDatabase(join(staging, databaseName));
    const point = pointAt(dataDir, now);
    try {
      await exchange(options, point, manifest);
      await check(dataDir);
    } catch (error) {
      throw await undone(options, point, error);
    }
    const missing = await missingIn(staging, bucket);
    await rm(join(dataDir, journalName));
    await syncFolder(dataDir);
    return { manifest, point, missing };
  } finally {
    await clear();
  }
}

/**
 * Puts back the data from before an interrupted restore.
 * @returns whether there was one
 */
export async function undoRestore(dataDir: string, backupDir: string, { databaseUrl, bucket }: Stores = {}): Promise<boolean> {
  const journal = join(dataDir, journalName);
  if (!existsSync(journal)) return false;
  const { point, before, ...was } = v.parse(Journal, JSON.parse(await readFile(journal, "utf8")));
  if (was.postgres) await undoInPostgres(point, needed(databaseUrl, "DATABASE_URL"));
  if (was.bucket) await undoInBucket(needed(bucket, "S3_BUCKET"), basename(point));
  const moved = new Set(existsSync(point) ? await readdir(point) : []);
  for (const name of ownEntries) moved.delete(name);
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

function needed<Store>(store: Store | undefined, variable: string): Store {
  if (store === undefined) throw new Error(`The interrupted restore used ${variable}. Set it to the same value again.`);
  return store;
}

/** One transaction exchanged the rows and left its mark, or did nothing. */
async function undoInPostgres(point: string, url: string): Promise<void> {
  if ((await findMark(url)) !== point) return;
  await replaceInPostgres({ url, folder: join(point, dumpFolder), hasKeys: true, mark: "" });
}

/**
 * Undoes a failed restore.
 * @returns the error to report
 */
async function undone(options: ReplaceOptions, point: string, error: unknown): Promise<unknown> {
  const { dataDir, backupDir, bucket } = options;
  const reason = error instanceof Error ? error.message : String(error);
  // Nothing has been changed, and the restore point is incomplete, perhaps because the disk was full.
  if (!existsSync(join(dataDir, journalName))) {
    await rm(point, { recursive: true, force: true });
    if (bucket !== undefined) await removePoint(bucket, basename(point));
    return new Error(`Nothing was restored, and nothing was changed: ${reason}`, { cause: error });
  }
  try {
    await undoRestore(dataDir, backupDir, options);
  } catch (failure) {
    const why = failure instanceof Error ? failure.message : String(failure);
    const next = "Undo it with npm run restore -- --undo";
    return new Error(`The restore failed: ${reason} The previous data could not be put back: ${why} ${next}`, { cause: error });
  }
  return new Error(`The restored data does not work, so the previous data was put back: ${reason}`, { cause: error });
}

/**
 * Exchanges the current data for the staged data.
 * @param point the folder for the current data
 */
async function exchange(options: ReplaceOptions, point: string, { database, files }: About): Promise<void> {
  const { dataDir, backupDir, databaseUrl, bucket } = options;
  const before = (await readdir(dataDir)).filter((name) => isReplaced(dataDir, name, backupDir));
  await mkdir(point, { recursive: true, mode: 0o700 });
  if (databaseUrl !== undefined) await dumpTo(join(point, dumpFolder), dataDir, databaseUrl);
  const restoresBucket = bucket !== undefined && files === "bucket";
  if (restoresBucket) await savePoint(bucket, basename(point));
  const kept = restoresBucket ? "bucket" : "bucketKeepsThem";
  await describePoint(point, {
    database: databaseUrl === undefined ? "sqlite" : "postgres",
    files: bucket === undefined ? "folder" : kept,
  });
  await using journal = await open(join(dataDir, journalName), "wx", 0o600);
  await journal.writeFile(JSON.stringify({ point, before, postgres: databaseUrl !== undefined, bucket: restoresBucket }));
  await journal.sync();
  await syncFolder(dataDir);
  for (const name of before) await rename(join(dataDir, name), join(point, name));
  const staging = join(dataDir, stagingName);
  for (const name of await readdir(staging)) {
    const isElsewhere = name === objectsName || (name === databaseName && databaseUrl !== undefined);
    if (!isElsewhere) await rename(join(staging, name), join(dataDir, name));
  }
  await syncFolder(dataDir);
  if (restoresBucket) await installStaged(bucket);
  if (databaseUrl !== undefined) {
    await replaceInPostgres({ url: databaseUrl, folder: staging, hasKeys: database === "postgres", mark: point });
  }
}

/** Dumps PostgreSQL into a file of this release. */
async function dumpTo(folder: string, dataDir: string, url: string): Promise<void> {
  await (await openDb(dataDir, url)).destroy();
  await mkdir(folder, { mode: 0o700 });
  await dumpPostgres({ url, folder });
  checkDatabase(join(folder, databaseName));
}

/** Stages an entry of the archive, beside the current data. */
async function stage(name: string, staging: string, bucket: Bucket | undefined) {
  if (!name.startsWith(bucketPrefix)) return create(join(staging, placeOf(name)));
  if (bucket === undefined) throw new Error(inBucket);
  return stageObject(bucket, name.slice(bucketPrefix.length));
}

const inBucket = "The files of this backup were in a bucket: set S3_BUCKET to the bucket to restore them to.";

function refuseOtherPlace({ files }: About, bucket: Bucket | undefined): void {
  if (files !== "folder" && bucket === undefined) throw new Error(inBucket);
  if (files === "folder" && bucket !== undefined) {
    throw new Error(
      "The files of this backup were in the data folder: restore it without S3_BUCKET, then move them to the bucket with npm run files -- move.",
    );
  }
}

/** A restore point has no list of them. */
async function missingIn(staging: string, bucket: Bucket | undefined): Promise<string[]> {
  const list = join(staging, objectsName);
  return bucket === undefined || !existsSync(list) ? [] : findMissing(bucket, createReadStream(list));
}

/** A server, worker or script with the database open holds a lock on it, so the journal mode can't be changed. */
function refuseWhileInUse(dataDir: string): void {
  const path = join(dataDir, databaseName);
  if (!existsSync(path)) return;
  const refusal = "Parlance is running on this data folder. Stop it and its workers first.";
  const db = new DatabaseSync(path, { timeout: 0 });
  try {
    // Afterwards the file includes the log, so that a restore point without the log is complete.
    const answer = db.prepare("pragma journal_mode = delete").get();
    if (answer?.journal_mode !== "delete") throw new Error(refusal);
  } catch (error) {
    if (error instanceof Error && /locked/.test(error.message)) throw new Error(refusal, { cause: error });
    throw error;
  } finally {
    db.close();
  }
}

async function opens(dataDir: string, databaseUrl: string | undefined): Promise<void> {
  await (await openDb(dataDir, databaseUrl)).destroy();
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
      // Also closed if it can't be flushed.
      await using opened = file;
      await opened.sync();
    },
  };
}
