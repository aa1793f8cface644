import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Pack } from "tar-stream";
import { errorCodeOf } from "#server/errors/problem.ts";
import type { Bucket } from "#server/storage/bucket.ts";
import {
  bucketPrefix,
  databaseName,
  filesPrefix,
  isFile,
  isObject,
  type Manifest,
  manifestName,
  objectsName,
  sumsName,
} from "./format.ts";

export interface Content {
  manifest: Manifest;
  /** Absolute. */
  dataDir: string;
  /** Absolute. */
  backupDir: string;
  bucket: Bucket | undefined;
  /** A folder for temporary files, with the database's copy. */
  work: string;
  /** Called now and then with the bytes of added files. */
  onBytes(bytes: number): void;
}

/**
 * Adds all entries of a backup to an archive, in sequence. A file that is deleted in the meantime is left out.
 * @throws disk errors; Problem `storageUnavailable`
 */
export async function fill(archive: Pack, content: Content): Promise<void> {
  const { manifest, dataDir, backupDir, bucket, work } = content;
  await using sums = await open(join(work, sumsName), "wx", 0o600);
  const text = JSON.stringify(manifest);
  archive.entry({ name: manifestName, mode: 0o600 }, text);
  await sums.writeFile(`${createHash("sha256").update(text).digest("hex")}  ${manifestName}\n`);
  const add = async (name: string, adding: Promise<string | undefined>) => {
    const hash = await adding;
    if (hash !== undefined) await sums.writeFile(`${hash}  ${name}\n`);
  };
  const { onBytes } = content;
  const addPath = (path: string, name: string) => add(name, addFile(archive, { path, name, onBytes }));
  await addPath(join(work, databaseName), databaseName);
  for (const top of await readdir(dataDir)) {
    if (!isFile(dataDir, top, backupDir)) continue;
    for await (const path of filesBelow(join(dataDir, top))) {
      await addPath(path, `${filesPrefix}${path.slice(dataDir.length + 1)}`);
    }
  }
  if (bucket !== undefined && manifest.files === "bucket") {
    for await (const { key } of objectsIn(bucket)) {
      const name = `${bucketPrefix}${key}`;
      await add(name, addObject(archive, bucket, { key, name, onBytes }));
    }
  }
  if (bucket !== undefined && manifest.files === "bucketKeepsThem") {
    await writeList(bucket, join(work, objectsName));
    await addPath(join(work, objectsName), objectsName);
  }
  await sums.sync();
  await addFile(archive, { path: join(work, sumsName), name: sumsName, onBytes });
  archive.finalize();
}

/** Lists the objects of a backup in batches: a million objects are never in memory. */
async function* objectsIn(bucket: Bucket): AsyncGenerator<{ key: string; size: number }> {
  for await (const listed of bucket.list("")) if (isObject(listed.key)) yield listed;
}

async function writeList(bucket: Bucket, path: string): Promise<void> {
  await using file = await open(path, "wx", 0o600);
  for await (const { key, size } of objectsIn(bucket)) await file.writeFile(`${size}\t${key}\n`);
  await file.sync();
}

/** Folder by folder: a million recordings are never listed at once. */
async function* filesBelow(path: string): AsyncGenerator<string> {
  const info = await stat(path).catch(() => undefined);
  if (info?.isFile() === true) yield path;
  if (info?.isDirectory() !== true) return;
  for (const name of await readdir(path).catch(() => [])) yield* filesBelow(join(path, name));
}

interface Entry {
  name: string;
  onBytes(bytes: number): void;
}

/**
 * Adds a file with its current length, even if it grows in the meantime.
 * @returns its hash; undefined if it was deleted
 */
async function addFile(archive: Pack, { path, ...entry }: Entry & { path: string }): Promise<string | undefined> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  await using opened = file;
  const { size } = await opened.stat();
  return await addStream(archive, entry, { size, read: () => beginningOf(opened, size) });
}

function beginningOf(file: FileHandle, size: number): Readable {
  return createReadStream("", { fd: file.fd, autoClose: false, end: size - 1, highWaterMark: 256 * 1024 });
}

/** @returns its hash; undefined if it was deleted */
async function addObject(archive: Pack, bucket: Bucket, { key, ...entry }: Entry & { key: string }): Promise<string | undefined> {
  const found = await bucket.open(key);
  if (found === undefined) return undefined;
  return addStream(archive, entry, { size: found.size, read: () => found.stream });
}

async function addStream(
  archive: Pack,
  { name, onBytes }: Entry,
  { size, read }: { size: number; read(): Readable },
): Promise<string> {
  const hash = createHash("sha256");
  const target = archive.entry({ name, size, mode: 0o600 });
  if (size === 0) target.end();
  else {
    const source = read();
    source.on("data", (chunk: Buffer) => {
      hash.update(chunk);
      onBytes(chunk.length);
    });
    await pipeline(source, target);
  }
  return hash.digest("hex");
}
