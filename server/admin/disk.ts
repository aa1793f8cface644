import { lstat, readdir, statfs } from "node:fs/promises";
import { join } from "node:path";

/** What the data folder holds, in bytes. */
export interface Used {
  database: number;
  /** People's recordings, whether they have arrived or not. */
  audio: number;
  vault: number;
  /** Models, pictures, what is in no other group. */
  other: number;
}

const audioFolders = new Set(["audio", "incoming", "uploads", "jobs", "live"]);

function groupOf(name: string): keyof Used {
  if (name.startsWith("parlance.db")) return "database";
  if (name === "vault") return "vault";
  return audioFolders.has(name) ? "audio" : "other";
}

/** Looks at every file below the data folder. What goes away meanwhile is not counted. */
export async function measureUsed(dataDir: string): Promise<Used> {
  const used: Used = { database: 0, audio: 0, vault: 0, other: 0 };
  for (const name of await readdir(dataDir)) used[groupOf(name)] += await sizeOf(join(dataDir, name));
  return used;
}

/** Of a file, or of everything in a folder; 0 for what is not there. */
async function sizeOf(path: string): Promise<number> {
  const info = await lstat(path).catch(() => undefined);
  if (info === undefined) return 0;
  if (!info.isDirectory()) return info.size;
  const names = await readdir(path).catch(() => []);
  let sum = 0;
  for (const name of names) sum += await sizeOf(join(path, name));
  return sum;
}

/** Bytes of a file; null when it is not there. */
export async function fileSize(path: string): Promise<number | null> {
  const info = await lstat(path).catch(() => null);
  return info === null ? null : info.size;
}

/** The disk that a folder is on, in bytes. */
export async function measureDisk(folder: string): Promise<{ free: number; size: number }> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}
