import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { basename, dirname, extname, join, sep } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import { fileOfSize, type StoredFile } from "#server/storage/stored-file.ts";

const types: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".webp": "image/webp",
  ".woff2": "font/woff2",
  ".xml": "application/xml; charset=utf-8",
};
const compressible = new Set([".css", ".html", ".js", ".json", ".map", ".svg", ".txt", ".wasm", ".webmanifest", ".xml"]);

export type Encoding = "identity" | "gzip" | "br";

/** One file of the built page, in memory. */
export interface PageFile {
  type: string;
  /** Strong ETag of the uncompressed bytes, without quotes. */
  tag: string;
  bytes: Buffer;
  /** The bytes in this encoding; compressed once and cached. */
  encoded(encoding: Encoding): Promise<Buffer>;
  compressible: boolean;
}

/** A file of the built page that stays on the disk: sent as it is, whole or in parts. */
export interface LargeFile {
  type: string;
  /** Strong ETag, without quotes. */
  tag: string;
  stored: StoredFile;
}

/** Incompressible files of at least this many bytes are not kept in memory. */
const largeBytes = 1024 * 1024;

/** Reads files of a folder; a changed file is read again. */
export interface PageFiles {
  /**
   * @param path as in the URL, decoded, beginning with "/"
   * @returns undefined unless it is a small file inside the folder
   */
  find(path: string): Promise<PageFile | undefined>;
  /** The same for large files alone. */
  findLarge(path: string): Promise<LargeFile | undefined>;
}

export function createPageFiles(folder: string): PageFiles {
  const locate = async (path: string) => {
    const full = join(folder, path);
    if (!full.startsWith(folder + sep) || path.includes("\0")) return undefined;
    const info = await stat(full).catch(() => undefined);
    if (info === undefined || !info.isFile()) return undefined;
    const isLarge = info.size >= largeBytes && !compressible.has(extname(full).toLowerCase());
    return { full, size: info.size, version: `${info.mtimeMs}-${info.size}`, isLarge };
  };
  const small = cached(({ full }) => load(full));
  const large = cached(async ({ full, size }) => ({ ...(await describe(full)), stored: fileOfSize(full, size) }));
  return {
    find: async (path) => {
      const found = await locate(path);
      return found === undefined || found.isLarge ? undefined : small(found);
    },
    findLarge: async (path) => {
      const found = await locate(path);
      return found?.isLarge === true ? large(found) : undefined;
    },
  };
}

interface Found {
  full: string;
  /** Bytes. */
  size: number;
  /** Another one after each change. */
  version: string;
}

function cached<File>(read: (found: Found) => Promise<File>): (found: Found) => Promise<File> {
  const known = new Map<string, { version: string; file: Promise<File> }>();
  return (found) => {
    const before = known.get(found.full);
    if (before?.version === found.version) return before.file;
    const file = read(found);
    known.set(found.full, { version: found.version, file });
    return file;
  };
}

const typeOf = (full: string) => types[extname(full).toLowerCase()] ?? "application/octet-stream";

async function describe(full: string): Promise<Pick<LargeFile, "type" | "tag">> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(full)) hash.update(chunk);
  return { type: typeOf(full), tag: hash.digest("base64url").slice(0, 22) };
}

async function load(full: string): Promise<PageFile> {
  const bytes = await readFile(full);
  return {
    type: typeOf(full),
    tag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22),
    bytes,
    compressible: compressible.has(extname(full).toLowerCase()) && bytes.length > 512,
    encoded: once(async (encoding) => (await compressedBefore(full, encoding)) ?? compress(bytes, encoding)),
  };
}

/**
 * Files compressed by the build (scripts/build.mjs). Used only for names with a content hash: other files may have
 * changed since.
 */
async function compressedBefore(full: string, encoding: Encoding): Promise<Buffer | undefined> {
  if (encoding !== "br" || basename(dirname(full)) !== "assets") return undefined;
  return readFile(`${full}.br`).catch(() => undefined);
}

function once(make: (encoding: Encoding) => Promise<Buffer>): (encoding: Encoding) => Promise<Buffer> {
  const made = new Map<Encoding, Promise<Buffer>>();
  return (encoding) => {
    const known = made.get(encoding) ?? make(encoding);
    made.set(encoding, known);
    return known;
  };
}

/** Done once per file, off the main thread, so the best levels are affordable. */
export async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(bytes, { level: 9 });
  if (encoding === "br") return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } });
  return bytes;
}

/** The best encoding that an Accept-Encoding header allows. */
export function pickEncoding(accepted = ""): Encoding {
  const offers = parseAccept(accepted);
  const isAccepted = (encoding: Encoding) => offers.some(({ type, q }) => type.toLowerCase() === encoding && q > 0);
  return (["br", "gzip"] as const).find(isAccepted) ?? "identity";
}
