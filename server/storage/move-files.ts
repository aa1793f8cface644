import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { hintGc } from "#server/threads/gc-hint.ts";
import type { Bucket } from "./bucket.ts";
import { fileAt, type StoredFile } from "./stored-file.ts";

export interface Moved {
  /** Files copied and verified now. */
  copied: number;
  /** Files that were in the bucket already, with the same content. */
  known: number;
  bytes: number;
  /** Files that stay in the folder: unfinished uploads can't continue in a bucket. */
  left: string[];
}

interface Options {
  /** Absolute. */
  dataDir: string;
  bucket: Bucket;
  /** Whether to delete each file of the folder once its copy is verified. */
  removes: boolean;
  /** Called with the key of each copied file. */
  onCopied?: (key: string, bytes: number) => void;
}

/** Folders whose files become objects of the same name; `deep` ones have a folder for each id. */
const flat = ["avatars", "blog-images"];
const deep = ["audio", "vault"];
const arriving = ["uploads", "incoming", "live"];

/**
 * Copies recordings, pictures and vaults from a data folder to a bucket. Each copy is read back, and its size and
 * SHA-256 are compared. It can be interrupted and repeated: objects with the same content are not copied again. Files
 * are only deleted with `removes`.
 * @throws Error when a copy differs; Problem `storageUnavailable`
 */
export async function moveFiles({ dataDir, bucket, removes, onCopied }: Options): Promise<Moved> {
  const moved: Moved = { copied: 0, known: 0, bytes: 0, left: [] };
  for (const folder of arriving) {
    for (const name of await namesIn(join(dataDir, folder))) moved.left.push(`${folder}/${name}`);
  }
  for await (const key of keysOf(dataDir)) {
    const path = join(dataDir, key);
    const file = await fileAt(path);
    if (file === undefined) continue;
    const own = await hashOf(file);
    if (await isSame(bucket, key, file.size, own)) moved.known += 1;
    else {
      await bucket.put(key, file.read());
      if (!(await isSame(bucket, key, file.size, own))) throw new Error(`${key}: the copy in the bucket differs.`);
      moved.copied += 1;
      moved.bytes += file.size;
      onCopied?.(key, file.size);
    }
    if (removes) await rm(path);
  }
  return moved;
}

async function* keysOf(dataDir: string): AsyncGenerator<string> {
  for (const folder of flat) for (const name of await namesIn(join(dataDir, folder))) yield `${folder}/${name}`;
  for (const folder of deep) {
    for (const id of await namesIn(join(dataDir, folder))) {
      for (const name of await namesIn(join(dataDir, folder, id))) yield `${folder}/${id}/${name}`;
    }
  }
}

/** Empty for a missing folder. */
function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}

async function isSame(bucket: Bucket, key: string, size: number, hash: string): Promise<boolean> {
  const stored = await bucket.file(key);
  return stored !== undefined && stored.size === size && (await hashOf(stored)) === hash;
}

async function hashOf(file: StoredFile): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of file.read()) {
    hash.update(chunk);
    hintGc(chunk.length);
  }
  return hash.digest("hex");
}
