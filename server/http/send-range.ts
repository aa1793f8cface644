import type { Context } from "hono";
import type { ByteRange, StoredFile } from "#server/storage/stored-file.ts";
import type { AppEnv } from "./env.ts";
import { parseRange } from "./range.ts";
import { requireRight } from "./while-allowed.ts";

/** Sends a file, or the part that the request's Range asks for. @param tag its ETag */
export function sendRange(c: Context<AppEnv>, file: StoredFile, tag: string): Response {
  requireRight(c);
  c.header("Accept-Ranges", "bytes");
  c.header("ETag", tag);
  const { size } = file;
  const validator = c.req.header("if-range");
  const range = validator === undefined || validator === tag ? parseRange(c.req.header("range"), size) : undefined;
  if (range === "unsatisfiable") {
    c.header("Content-Range", `bytes */${size}`);
    return c.json({ message: "The range is outside the file.", code: "badRequest" }, 416);
  }
  const part: ByteRange = range ?? { start: 0, end: size - 1 };
  c.header("Content-Length", String(part.end - part.start + 1));
  if (range !== undefined) c.header("Content-Range", `bytes ${part.start}-${part.end}/${size}`);
  const status = range === undefined ? 200 : 206;
  if (c.req.method === "HEAD" || size === 0) return c.body(null, status);
  return c.body(file.read(part), status);
}
