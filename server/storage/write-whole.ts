import type { FileHandle } from "node:fs/promises";

/**
 * Writes all of the bytes. One system call may write less of them, and does where the disk has room for a part: only the next one
 * says that it is full.
 * @param position where in the file, in bytes
 * @throws disk errors; a part may be written then
 */
export async function writeWhole(file: Pick<FileHandle, "write">, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
