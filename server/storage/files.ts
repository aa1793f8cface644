import { access, open, rename, rm } from "node:fs/promises";

/** Whether something is at a path, and may be seen. */
export function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** A rename is durable only when the folder is flushed too, and so is a new file. */
export async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}

/**
 * Writes a file that is always whole: beside, flushed, and renamed. Its folder is not flushed.
 * @param beside where it arrives; must not exist, not even as a link
 * @throws the file system's errors: what was there stays
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
