import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { Encrypter, generateIdentity, identityToRecipient } from "age-encryption";
import { type Pack, pack } from "tar-stream";
import { errorCodeOf } from "#server/common/problem.ts";
import { version } from "#server/common/version.ts";
import { backupName, databaseName, filesPrefix, isFile, type Manifest, manifestName, sumsName } from "./format.ts";
import { readBackup } from "./read.ts";
import { asWeb, fromWeb } from "./streams.ts";

export interface BackupOptions {
  /** Absolute. */
  dataDir: string;
  /** Absolute; created when it is missing. */
  backupDir: string;
  /** age's public key ("age1…"); undefined: not encrypted. */
  recipient: string | undefined;
  /** Epoch ms. */
  now: number;
}

export interface WrittenBackup {
  path: string;
  /** Bytes. */
  size: number;
  entries: number;
}

/**
 * Writes a backup while the server goes on, reads it back and compares every hash; only then it has its name. The database is copied first:
 * a file that is added later has no row in it, and none that has one is missing, unless it was deleted meanwhile.
 * @throws disk errors; with a sentence when what was written is not what was read
 */
export async function writeBackup({ dataDir, backupDir, recipient, now }: BackupOptions): Promise<WrittenBackup> {
  await mkdir(backupDir, { recursive: true, mode: 0o700 });
  const work = join(backupDir, `.partial-${randomBytes(6).toString("hex")}`);
  await mkdir(work, { mode: 0o700 });
  // Who can open it afterwards is the recipient; that what was written can be opened, this identity shows, which nobody keeps.
  const identity = recipient === undefined ? undefined : await generateIdentity();
  try {
    const database = join(work, databaseName);
    await copyDatabase(join(dataDir, databaseName), database);
    const arriving = join(work, backupName(now, recipient !== undefined));
    const archive = pack();
    const packing = fill(archive, { dataDir, backupDir, database, sums: join(work, sumsName), now });
    // Whoever reads the archive is told of it, too.
    packing.catch((error: Error) => archive.destroy(error));
    // Packing that nobody reads would wait for ever, with a file open.
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
    const { entries } = await readBackup(arriving, { identity });
    const path = join(backupDir, backupName(now, recipient !== undefined));
    await rename(arriving, path);
    await syncFolder(backupDir);
    return { path, size: (await stat(path)).size, entries };
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function encrypted(bytes: Readable, recipient: string, identity: string): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(recipient);
  encrypter.addRecipient(await identityToRecipient(identity));
  return fromWeb(await encrypter.encrypt(asWeb(bytes)));
}

/** By SQLite's own means, a part at a time, alongside the server. @throws when the copy is not sound */
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
    // One file, without a log beside it.
    copy.exec("pragma journal_mode = delete");
    const found = copy.prepare("pragma integrity_check(1)").get();
    if (found?.integrity_check !== "ok") throw new Error("The database is damaged.");
  } finally {
    copy.close();
  }
}

interface Content {
  dataDir: string;
  backupDir: string;
  /** The copy. */
  database: string;
  /** Where the hashes are gathered. */
  sums: string;
  now: number;
}

async function fill(archive: Pack, { dataDir, backupDir, database, sums, now }: Content): Promise<void> {
  await using list = await open(sums, "wx", 0o600);
  const manifest: Manifest = { format: 1, version, createdAt: new Date(now).toISOString() };
  const text = JSON.stringify(manifest);
  archive.entry({ name: manifestName, mode: 0o600 }, text);
  await list.writeFile(`${createHash("sha256").update(text).digest("hex")}  ${manifestName}\n`);
  const add = async (path: string, name: string) => {
    const hash = await addFile(archive, path, name);
    if (hash !== undefined) await list.writeFile(`${hash}  ${name}\n`);
  };
  await add(database, databaseName);
  for (const top of await readdir(dataDir)) {
    if (!isFile(dataDir, top, backupDir)) continue;
    for await (const path of filesBelow(join(dataDir, top))) await add(path, `${filesPrefix}${path.slice(dataDir.length + 1)}`);
  }
  await list.sync();
  await addFile(archive, sums, sumsName);
  archive.finalize();
}

/** Folder by folder: a million recordings are never listed at once. */
async function* filesBelow(path: string): AsyncGenerator<string> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile() === true) yield path;
  if (info?.isDirectory() !== true) return;
  for (const name of await readdir(path).catch(() => [])) yield* filesBelow(join(path, name));
}

/** Adds as much of a file as it has now, even if it grows meanwhile. @returns its hash; undefined when it was deleted meanwhile */
async function addFile(archive: Pack, path: string, name: string): Promise<string | undefined> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  await using opened = file;
  const { size } = await opened.stat();
  const hash = createHash("sha256");
  const target = archive.entry({ name, size, mode: 0o600 });
  if (size === 0) target.end();
  else {
    const source = createReadStream("", { fd: opened.fd, autoClose: false, end: size - 1, highWaterMark: 256 * 1024 });
    source.on("data", (chunk) => hash.update(chunk));
    await pipeline(source, target);
  }
  return hash.digest("hex");
}

/** A rename is durable only when the folder is flushed, too. */
export async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
