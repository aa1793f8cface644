import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf } from "#server/errors/problem.ts";
import { backupTime } from "./format.ts";

/** The names of the backups in a folder, the newest first. */
export async function listBackups(backupDir: string): Promise<string[]> {
  const names = await readdir(backupDir).catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(errorCodeOf(error) ?? "")) return [];
    throw error;
  });
  return names.filter((name) => backupTime(name) !== undefined).toSorted((a, b) => (backupTime(b) ?? 0) - (backupTime(a) ?? 0));
}

/**
 * Deletes all backups except the newest ones.
 * @returns the names of the deleted ones
 */
export async function pruneBackups(backupDir: string, keep: number): Promise<string[]> {
  const old = (await listBackups(backupDir)).slice(keep);
  for (const name of old) await rm(join(backupDir, name));
  return old;
}
