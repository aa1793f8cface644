import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { pack } from "tar-stream";
import type { BackupPhase } from "#contract/index.ts";
import { dumpPostgres } from "#server/db/dump.ts";
import { webStreamOf } from "#server/http/web-stream.ts";
import { version } from "#server/log/version.ts";
import { syncFolder } from "#server/storage/files.ts";
import { backupName, databaseName, type Manifest } from "./format.ts";
import { fill } from "./pack.ts";
import { readBackup } from "./read.ts";
import type { Stores } from "./stores.ts";

export interface BackupOptions extends Stores {
  /** Absolute. */
  dataDir: string;
  /** Absolute; created when it is missing. */
  backupDir: string;
  /** age's public key ("age1…"); undefined: not encrypted. */
  recipient: string | undefined;
  /** Whether the bucket keeps its objects itself, so that the backup has only their list. */
  bucketKeepsFiles?: boolean;
  /** Epoch ms. */
  now: number;
  /** @param done rows of the database, or bytes of files */
  onProgress?: (phase: BackupPhase, done: number) => void;
}

export interface WrittenBackup {
  path: string;
  /** Bytes. */
  size: number;
  entries: number;
}

/**
 * Writes a backup while the server runs, reads it back and compares every hash; only then it gets its name. The
 * database is copied first: files that are added later have no row in the copy, and no file with a row is missing,
 * unless it was deleted in the meantime.
 * @throws disk errors; MoveError, Problem `storageUnavailable`; Error with a message if the written backup differs
 */
export async function writeBackup(options: BackupOptions): Promise<WrittenBackup> {
  const { dataDir, backupDir, recipient, now, bucket, databaseUrl, onProgress = () => {} } = options;
  await mkdir(backupDir, { recursive: true, mode: 0o700 });
  const work = join(backupDir, `.partial-${randomBytes(6).toString("hex")}`);
  await mkdir(work, { mode: 0o700 });
  // Only the recipient can open the backup. A temporary identity is a second recipient, to verify it; it is stored
  // nowhere.
  const identity = recipient === undefined ? undefined : await generateIdentity();
  try {
    onProgress("database", 0);
    if (databaseUrl === undefined) await copyDatabase(join(dataDir, databaseName), join(work, databaseName));
    else await dumpDatabase(databaseUrl, work, counted("database", onProgress));
    const arriving = join(work, backupName(now, recipient !== undefined));
    const archive = pack();
    const onBytes = counted("files", onProgress);
    const packing = fill(archive, { manifest: manifestOf(options), dataDir, backupDir, bucket, work, onBytes });
    // The reader of the archive gets the error, too.
    packing.catch((error: Error) => archive.destroy(error));
    // Without a reader, packing would wait indefinitely with a file open.
    await using _ = {
      [Symbol.asyncDispose]: async () => {
        archive.destroy();
        await packing.catch(() => undefined);
      },
    };
    const compressed = archive.pipe(createZstdCompress());
    archive.on("error", (error) => compressed.destroy(error));
    const bytes = recipient === undefined ? compressed : await encrypted(compressed, recipient, identity ?? "");
    await pipeline(bytes, createWriteStream(arriving, { flags: "wx", mode: 0o600, flush: true }));
    await packing;
    const { entries } = await readBackup(arriving, { identity, onBytes: (done) => onProgress("checking", done) });
    const path = join(backupDir, backupName(now, recipient !== undefined));
    await rename(arriving, path);
    await syncFolder(backupDir);
    return { path, size: (await stat(path)).size, entries };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function manifestOf({ databaseUrl, bucket, bucketKeepsFiles = false, now }: BackupOptions): Manifest {
  const isEmbedded = databaseUrl === undefined && bucket === undefined;
  return {
    format: isEmbedded ? 1 : 2,
    version,
    createdAt: new Date(now).toISOString(),
    database: databaseUrl === undefined ? "sqlite" : "postgres",
    files: bucket === undefined ? "folder" : bucketKeepsFiles ? "bucketKeepsThem" : "bucket",
  };
}

function counted(phase: BackupPhase, onProgress: (phase: BackupPhase, done: number) => void): (more: number) => void {
  let done = 0;
  return (more) => {
    done += more;
    onProgress(phase, done);
  };
}

async function dumpDatabase(url: string, folder: string, onRows: (rows: number) => void): Promise<void> {
  await dumpPostgres({ url, folder, onRows });
  checkDatabase(join(folder, databaseName));
}

async function encrypted(bytes: Readable, recipient: string, identity: string): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  encrypter.addRecipient(await identityToRecipient(identity));
  return Readable.from(await encrypter.encrypt(webStreamOf(bytes)), { objectMode: false });
}

/**
 * SQLite's own backup, a part at a time, while the server runs.
 * @throws if the copy is damaged
 */
async function copyDatabase(from: string, to: string): Promise<void> {
  const source = new DatabaseSync(from, { readOnly: true, timeout: 10_000 });
  try {
    await backup(source, to, { rate: 1_000 });
  } finally {
    source.close();
  }
  checkDatabase(to);
}

/** @throws when a database is damaged */
export function checkDatabase(path: string): void {
  const copy = new DatabaseSync(path);
  try {
    // A single file without a log.
    copy.exec("pragma journal_mode = delete");
    const found = copy.prepare("pragma integrity_check(1)").get();
    if (found?.integrity_check !== "ok") throw new Error("The database is damaged.");
  } finally {
    copy.close();
  }
}
