import { type FileHandle, open } from "node:fs/promises";

/** The open ones. */
const kept = new Set<FileHandle>();

/**
 * Opens a file for a step of a job. A worker that is closed stops waiting for an engine that never answers, and then nobody holds the
 * step any more: a file handle that is left to the garbage collector ends the process (Node 26), so it is held here until it is closed.
 * @param flags as of `open` of node:fs
 */
export async function openKept(path: string, flags: string, mode?: number): Promise<{ file: FileHandle } & AsyncDisposable> {
  const file = await open(path, flags, mode);
  kept.add(file);
  return {
    file,
    [Symbol.asyncDispose]: async () => {
      kept.delete(file);
      await file.close();
    },
  };
}
