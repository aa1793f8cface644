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

/** Sums up all files below the data folder. Files that are deleted meanwhile are not counted. */
export async function measureUsed(dataDir: string): Promise<Used> {
  const used: Used = { database: 0, audio: 0, vault: 0, other: 0 };
  for (const name of await readdir(dataDir)) used[groupOf(name)] += await sizeOf(join(dataDir, name));
  return used;
}

/** Of a file, or of everything in a folder; 0 when missing. */
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
