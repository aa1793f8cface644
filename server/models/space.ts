import { statfs } from "node:fs/promises";
import { InstallationProblem } from "./installation-problem.ts";

/** Free bytes of the disk that a folder is on. */
export type FreeBytes = (folder: string) => Promise<number>;

export const freeBytesOf: FreeBytes = async (folder) => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** The bytes that an installation leaves for recordings and the database. */
export const reserveBytes = 512 * 1024 * 1024;

/** @throws InstallationProblem `diskFull`, before the disk is */
export async function requireSpace(folder: string, bytes: number, freeBytes: FreeBytes): Promise<void> {
  const free = await freeBytes(folder);
  if (free >= bytes + reserveBytes) return;
  const [needed, there, kept] = [bytes, free, reserveBytes].map((size) => `${Math.ceil(size / 1e6)} MB`);
  throw new InstallationProblem(
    "diskFull",
    `It needs ${needed}, but only ${there} are free, and ${kept} of them are reserved for recordings.`,
  );
}
