import { access, open, rename, rm } from "node:fs/promises";

/** Whether something exists at a path, and is accessible. */
export function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Flushes a folder: a renamed or new file is durable only once its folder is flushed, too. */
export async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/**
 * Replaces a file atomically: writes beside it, flushes, and renames. The folder is not flushed.
 * @param beside path of the temporary file; must not exist, not even as a link
 * @throws the file system's errors; the old file then stays
 */
export async function replaceFile(path: string, beside: string, data: string | Uint8Array, mode: number): Promise<void> {
  try {
    await using handle = await open(beside, "wx", mode);
    await handle.writeFile(data);
    await handle.sync();
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
