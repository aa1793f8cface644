import { chmod, mkdir, open, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCodeOf } from "./common/problem.ts";

/** What others may do: group and everybody else, to read, write and enter. */
const othersBits = 0o077;
const stickyBit = 0o1000;
/** Nobody's words are in it, and it may be shared with other programs. */
const shared = new Set(["models"]);
/** The database and what SQLite writes beside it. The two take their rights from the first when SQLite makes them. */
const databaseFiles = ["parlance.db", "parlance.db-wal", "parlance.db-shm"];

/**
 * Makes the data folder if need be, and keeps it from everybody but this user, also one that was there before with wider rights: the
 * folder itself, what lies directly in it (which closes what lies deeper: a million recordings are not walked through), and the
 * database's files, which are made here so that they are never readable by others, not even for a moment.
 * @param dataDir absolute
 * @returns what could not be closed to others, in a sentence each
 * @throws when the folder can't be made or the database file can't be opened
 */
export async function openDataFolder(dataDir: string): Promise<string[]> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const complaints: string[] = [];
  const close = async (path: string) => {
    const complaint = await keepFromOthers(path);
    if (complaint !== undefined) complaints.push(complaint);
  };
  const { mode } = await stat(dataDir);
  // Such as /tmp: other programs live here, too.
  const isCommon = (mode & stickyBit) !== 0;
  if (isCommon) complaints.push(`${dataDir} is shared with other users. Set PARLANCE_DATA to a folder of Parlance's own.`);
  else await close(dataDir);
  for (const name of isCommon ? databaseFiles : await readdir(dataDir)) {
    if (!shared.has(name)) await close(join(dataDir, name));
  }
  const database = await open(join(dataDir, "parlance.db"), "a", 0o600);
  await database.close();
  return complaints;
}

/** Takes away what others may do with it; a link's target counts. @returns what stands in the way of that */
async function keepFromOthers(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if ((mode & othersBits) !== 0) await chmod(path, mode & 0o7777 & ~othersBits);
    // There are file systems that take such a change and forget it.
    const after = await stat(path);
    return (after.mode & othersBits) === 0 ? undefined : `${path} can be read by other users: its file system keeps no rights.`;
  } catch (error) {
    const code = errorCodeOf(error);
    // SQLite takes its files away when the last process closes the database.
    return code === "ENOENT" ? undefined : `${path} can be read by other users, and that could not be changed (${code}).`;
  }
}
