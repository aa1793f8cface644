import { type FileHandle, open } from "node:fs/promises";
import type { Context } from "hono";
import { type ByteRange, parseRange } from "./range.ts";

const chunkBytes = 256 * 1024;

/** Sends a file, or the part that the request's Range asks for. @param tag its ETag */
export function sendRange(c: Context, file: string, size: number, tag: string): Response {
  const validator = c.req.header("if-range");
  const range = validator === undefined || validator === tag ? parseRange(c.req.header("range"), size) : undefined;
  if (range === "unsatisfiable") {
    c.header("Content-Range", `bytes */${size}`);
    return c.json({ message: "The range is outside of the file.", code: "badRequest" }, 416);
  }
  const part: ByteRange = range ?? { start: 0, end: size - 1 };
  c.header("Content-Length", String(part.end - part.start + 1));
  if (range !== undefined) c.header("Content-Range", `bytes ${part.start}-${part.end}/${size}`);
  const status = range === undefined ? 200 : 206;
  if (c.req.method === "HEAD" || size === 0) return c.body(null, status);
  return c.body(asWebStream(file, part), status);
}

/**
 * Reads a file on demand. It is opened with the first read and closed when the client disconnects, even while it is being opened:
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
