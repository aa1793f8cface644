import { createWriteStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Writable } from "node:stream";
import { errorCodeOf } from "#server/errors/problem.ts";

/** A range of bytes, inclusive at both ends. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A complete stored file: in a folder, or as an object in a bucket. */
export interface StoredFile {
  /** Size in bytes. */
  size: number;
  /**
   * Reads on demand. Nothing is open before the first read, or after the end or a cancellation. @param range default:
   * the whole file
   */
  read(range?: ByteRange): ReadableStream<Uint8Array>;
}

/** A local file for as long as it is needed; a temporary one is deleted with it. */
export interface LocalFile extends AsyncDisposable {
  path: string;
}

const chunkBytes = 256 * 1024;

async function bytesOf(file: StoredFile, range: ByteRange): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.read(range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The bytes of a small file; undefined when there is none, or it is larger than `max` (bytes). */
export async function smallBytesOf(file: StoredFile | undefined, max: number): Promise<Buffer | undefined> {
  return file === undefined || file.size > max ? undefined : bytesOf(file, { start: 0, end: file.size - 1 });
}

/** A file in a folder; undefined when there is none. */
export async function fileAt(path: string): Promise<StoredFile | undefined> {
  try {
    const { size } = await stat(path);
    return fileOfSize(path, size);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The same for a file whose size is known (bytes). If the file is gone, the reader gets the error. */
export function fileOfSize(path: string, size: number): StoredFile {
  return { size, read: (range = { start: 0, end: size - 1 }) => (size === 0 ? emptyStream() : asWebStream(path, range)) };
}

function emptyStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/**
 * Reads a file on demand. The file is opened with the first read, and closed when the reader stops, even while it is
 * being opened: a file handle left to the garbage collector ends the process (Node 26).
 */
function asWebStream(file: string, { start, end }: ByteRange): ReadableStream<Uint8Array> {
  let opening: Promise<FileHandle> | undefined;
  let position = start;
  const close = async () => (await opening?.catch(() => undefined))?.close();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    opening ??= open(file, "r");
    const handle = await opening;
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, end + 1 - position));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, position);
    position += bytesRead;
    if (bytesRead > 0) controller.enqueue(chunk.subarray(0, bytesRead));
    if (position <= end && bytesRead > 0) return;
    await close();
    controller.close();
  };
  const source: UnderlyingDefaultSource<Uint8Array> = {
    pull: (controller) =>
      pull(controller).catch(async (error: unknown) => {
        await close();
        throw error;
      }),
    cancel: close,
  };
  // No read-ahead, so that an unread response opens no file.
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** Writes an incoming file on this machine. @param flags "wx": it must not exist; "w": an existing file is replaced */
export function writeStreamAt(path: string, flags: "wx" | "w") {
  return createWriteStream(path, { flags, mode: 0o600, flush: true, highWaterMark: 128 * 1024 });
}

/** Destroys a stream; resolves when no more of its bytes can arrive. */
export function closed(stream: Writable): Promise<void> {
  if (stream.closed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("error", () => {});
    stream.once("close", () => resolve());
    stream.destroy();
  });
}
