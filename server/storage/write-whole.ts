import type { FileHandle } from "node:fs/promises";

/**
 * Writes all of the bytes. A single system call may write only a part, for example on a nearly full disk; only the next
 * call fails then.
 * @param position in the file, in bytes
 * @throws disk errors; a part may have been written
 */
export async function writeWhole(file: Pick<FileHandle, "write">, bytes: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}
