import { createWriteStream } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Writable } from "node:stream";
import { errorCodeOf } from "#server/errors/problem.ts";

/** Inclusive at both ends, in bytes. */
export interface ByteRange {
  start: number;
  end: number;
}

/** A file that is stored whole: in a folder, or as an object in a bucket. */
export interface StoredFile {
  /** In bytes. */
  size: number;
  /** Reads on demand; nothing is open before the first read, and after the end or a cancellation. @param range default: all of it */
  read(range?: ByteRange): ReadableStream<Uint8Array>;
}

/** A file on this machine for as long as it is needed; what was made only for that goes with it. */
export interface LocalFile extends AsyncDisposable {
  path: string;
}

const chunkBytes = 256 * 1024;

async function bytesOf(file: StoredFile, range: ByteRange): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of file.read(range)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** All of a small file, in memory; undefined when there is none, or it is larger than `max` (bytes). */
export async function smallBytesOf(file: StoredFile | undefined, max: number): Promise<Buffer | undefined> {
  return file === undefined || file.size > max ? undefined : bytesOf(file, { start: 0, end: file.size - 1 });
}

/** A file of a folder; undefined when there is none. */
export async function fileAt(path: string): Promise<StoredFile | undefined> {
  try {
    const { size } = await stat(path);
    return fileOfSize(path, size);
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** The same for a file whose size is known (bytes). A file that is gone by then is an error of its reader. */
export function fileOfSize(path: string, size: number): StoredFile {
  return { size, read: (range = { start: 0, end: size - 1 }) => (size === 0 ? emptyStream() : asWebStream(path, range)) };
}

function emptyStream(): ReadableStream<Uint8Array> {
  return new ReadableStream({ start: (controller) => controller.close() });
}

/**
 * Reads a file on demand. It is opened with the first read and closed when the reader is gone, even while it is being opened:
 * a file handle left to the garbage collector ends the process (Node 26).
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
  // No read-ahead: a response that nobody reads opens no file.
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** Where an incoming file is written on this machine. @param flags "wx": it must not exist; "w": what exists is replaced */
export function writeStreamAt(path: string, flags: "wx" | "w") {
  return createWriteStream(path, { flags, mode: 0o600, flush: true, highWaterMark: 128 * 1024 });
}

/** Ends a stream that is under way; resolves when nothing of it can arrive any more. */
export function closed(stream: Writable): Promise<void> {
  if (stream.closed) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once("error", () => {});
    stream.once("close", () => resolve());
    stream.destroy();
  });
}
