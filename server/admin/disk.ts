import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";

/** Sizes in the data folder, in bytes. */
export interface Used {
  database: number;
  /** Recordings, including incomplete uploads. */
  audio: number;
  vault: number;
  /** Models, pictures, and everything else. */
  other: number;
}

const audioFolders = new Set(["audio", "incoming", "uploads", "jobs", "live"]);

function groupOf(name: string): keyof Used {
  if (name.startsWith("parlance.db")) return "database";
  if (name === "vault") return "vault";
  return audioFolders.has(name) ? "audio" : "other";
}

/**
 * The pause before a bucket is measured again, relative to the time that the measurement took: listing millions of
 * objects takes minutes.
 */
const restFactor = 60;
const measured = new WeakMap<object, { at: number; tookMs: number; used: Used }>();

/** Sums up what a bucket has, by its keys; a large one's numbers may be older than those of the data folder. */
export async function measureBucket(bucket: {
  list(below: string): AsyncIterable<{ key: string; size: number }>;
}): Promise<Used> {
  const at = performance.now();
  const known = measured.get(bucket);
  if (known !== undefined && at - known.at < known.tookMs * restFactor) return known.used;
  const used: Used = { database: 0, audio: 0, vault: 0, other: 0 };
  for await (const { key, size } of bucket.list("")) used[groupOf(key.split("/", 1)[0] ?? "")] += size;
  measured.set(bucket, { at: performance.now(), tookMs: performance.now() - at, used });
  return used;
}

/** Sums up all files below the data folder. Files that are deleted in the meantime are not counted. */
export async function measureUsed(dataDir: string): Promise<Used> {
  const used: Used = { database: 0, audio: 0, vault: 0, other: 0 };
  for (const name of await readdir(dataDir)) used[groupOf(name)] += await sizeOf(join(dataDir, name));
  return used;
}

/** The bytes of a file, or of everything in a folder; 0 if it is missing. */
async function sizeOf(path: string): Promise<number> {
  const info = await lstat(path).catch(() => undefined);
  if (info === undefined) return 0;
  if (!info.isDirectory()) return info.size;
  const names = await readdir(path).catch(() => []);
  let sum = 0;
  for (const name of names) sum += await sizeOf(join(path, name));
  return sum;
}

/** The disk of a folder, in bytes. */
export async function measureDisk(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}
