import { existsSync } from "node:fs";
import { chmod, mkdir, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf } from "#server/errors/problem.ts";

/** Permission bits of group and others. */
const othersBits = 0o077;
const stickyBit = 0o1000;
/** Contains no personal data, and may be shared with other programs. */
const shared = new Set(["models"]);
/** The database and SQLite's files beside it. SQLite creates the latter with the permissions of the first. */
const databaseFiles = ["parlance.db", "parlance.db-wal", "parlance.db-shm"];

/**
 * Creates the data folder if necessary, and removes other users' permissions, also from an existing one: from the
 * folder itself, from its direct children (which protects deeper files without walking through a million recordings),
 * and from the database files, which are created here so that others can't read them even for a moment.
 * @param dataDir absolute
 * @param hasDatabase false: the database is elsewhere (PostgreSQL)
 * @returns the problems that could not be fixed, a sentence each
 * @throws if a restore was interrupted (server/backup), the folder can't be created or the database file can't be
 *   opened
 */
export async function openDataFolder(dataDir: string, hasDatabase = true): Promise<string[]> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  if (existsSync(join(dataDir, ".restore.json"))) {
    throw new Error("A restore was interrupted. Run it again, or undo it with npm run restore -- --undo");
  }
  const complaints: string[] = [];
  const close = async (path: string) => {
    const complaint = await keepFromOthers(path);
    if (complaint !== undefined) complaints.push(complaint);
  };
  const { mode } = await stat(dataDir);
  // Such as /tmp: shared with other programs.
  const isCommon = (mode & stickyBit) !== 0;
  if (isCommon) complaints.push(`Other users can write to ${dataDir}. Set PARLANCE_DATA to a folder that only Parlance uses.`);
  else await close(dataDir);
  for (const name of isCommon ? databaseFiles : await readdir(dataDir)) {
    if (!shared.has(name)) await close(join(dataDir, name));
  }
  if (!hasDatabase) return complaints;
  const database = await open(join(dataDir, "parlance.db"), "a", 0o600);
  await database.close();
  return complaints;
}

/** Removes other users' permissions; follows links. @returns why that failed */
async function keepFromOthers(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if ((mode & othersBits) !== 0) await chmod(path, mode & 0o7777 & ~othersBits);
    // Some file systems accept such a change and ignore it.
    const after = await stat(path);
    return (after.mode & othersBits) === 0 ? undefined : `Other users can read ${path}: its file system has no permissions.`;
  } catch (error) {
    const code = errorCodeOf(error);
    // SQLite deletes its files when the last process closes the database.
    return code === "ENOENT" ? undefined : `Other users can read ${path}, and its permissions could not be changed (${code}).`;
  }
}
