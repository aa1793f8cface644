import { type FileHandle, open } from "node:fs/promises";

/** The open ones. */
const held = new Set<FileHandle>();

/**
 * Opens a file for a step of a job. A worker that is closed stops waiting for an engine that never answers, and then
 * nothing references the step any longer. A file handle that is left to the garbage collector ends the process (Node
 * 26), so it is referenced here until it is closed.
 * @param flags as for `open` of node:fs
 */
export async function openHeld(path: string, flags: string, mode?: number): Promise<{ file: FileHandle } & AsyncDisposable> {
  const file = await open(path, flags, mode);
  held.add(file);
  return {
    file,
    [Symbol.asyncDispose]: async () => {
      held.delete(file);
      await file.close();
    },
  };
}
