import { spawn } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { dirname, join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { type Entry, extract } from "tar-stream";
import unbzip2 from "unbzip2-stream";
import { InstallationProblem } from "./installation-problem.ts";
import { isWanted, safePath, type UnpackTask } from "./unpack-messages.ts";

type Note = (done: number) => void;
const hostile = (detail: string) => new InstallationProblem("hostile", detail);

/**
 * Extracts the needed files from an archive into the staging folder.
 * @throws InstallationProblem
 */
export async function extractArchive(path: string, task: UnpackTask, note: Note): Promise<void> {
  const { limits } = task;
  const tar = extract();
  const feeding = pipeline(
    createReadStream(path, { highWaterMark: 256 * 1024 }),
    counting(note),
    await decompressorOf(path),
    capped(limits.unpackedBytes, "The archive unpacks to much more than expected"),
    tar,
  );
  // The first failure ends the other side, and its error counts.
  feeding.catch(() => undefined);
  let [entries, kept] = [0, 0];
  try {
    for await (const entry of tar) {
      entries += 1;
      if (entries > limits.entries) throw hostile(`The archive has more than ${limits.entries} entries.`);
      const target = targetOf(entry, task.keep);
      if (target !== undefined) kept += entry.header.size;
      if (kept > limits.keptBytes) throw hostile("The archive's files are much larger than expected.");
      if (target === undefined) entry.resume();
      else await writeEntry(entry, join(task.staging, target));
    }
    await feeding;
  } catch (error) {
    tar.destroy();
    // The decompressor or the tar reader reports an incomplete archive.
    throw error instanceof InstallationProblem ? error : asDamaged(error, await causeOf(feeding));
  }
  if (kept === 0) throw new InstallationProblem("damaged", "The archive has none of the model's files.");
}

async function causeOf(feeding: Promise<void>): Promise<unknown> {
  return feeding.then(
    () => undefined,
    (error: unknown) => error,
  );
}

function asDamaged(error: unknown, cause: unknown): unknown {
  for (const one of [error, cause]) {
    if (one instanceof InstallationProblem) return one;
    if (one instanceof Error && "code" in one && (one.code === "ENOSPC" || one.code === "EDQUOT")) return one;
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new InstallationProblem("damaged", `The archive is damaged or incomplete (${reason}).`, { cause: error });
}

/**
 * The path of an entry in the staging folder; undefined for a file that is not kept.
 * @throws InstallationProblem `hostile`
 */
function targetOf({ header }: Entry, keep: readonly string[] | null): string | undefined {
  const { name, type } = header;
  if (type === "directory") {
    if (safePath(name) === undefined && !/^\.?\/*$/.test(name))
      throw hostile(`The archive has an invalid path: ${JSON.stringify(name)}.`);
    return undefined;
  }
  const parts = safePath(name);
  if (parts === undefined) throw hostile(`The archive has an invalid path: ${JSON.stringify(name)}.`);
  if (type !== "file" && type !== "contiguous-file") throw hostile(`The archive has a ${type}: ${JSON.stringify(name)}.`);
  // The archive's own folder is none of the model's paths.
  const inner = parts.length > 1 ? parts.slice(1).join("/") : parts.join("/");
  return isWanted(inner, keep) ? parts.join("/") : undefined;
}

/** Two entries of one name are refused: the second would replace what the first had. */
async function writeEntry(entry: Readable, path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await using handle = await open(path, "wx", 0o644);
    for await (const piece of entry) await handle.writeFile(piece);
    await handle.sync();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EEXIST" || code === "ENOTDIR" || code === "EISDIR") throw hostile("The archive lists a file twice.");
    throw error;
  }
}

/** Takes ".gz" off a single file. @throws InstallationProblem */
export async function gunzipFile(path: string, target: string, maxBytes: number, note: Note): Promise<void> {
  try {
    await using handle = await open(target, "wx", 0o644);
    const cap = capped(maxBytes, "The file unpacks to much more than expected");
    await pipeline(createReadStream(path), counting(note), createGunzip(), cap, async (pieces: AsyncIterable<Buffer>) => {
      for await (const piece of pieces) await handle.writeFile(piece);
    });
    await handle.sync();
  } catch (error) {
    throw error instanceof InstallationProblem ? error : asDamaged(error, undefined);
  }
}

type Pieces = AsyncIterable<Buffer>;

/** By the first bytes, because an archive's name may be wrong. */
async function decompressorOf(path: string): Promise<(pieces: Pieces) => Pieces> {
  const { buffer, bytesRead } = await readStart(path);
  if (bytesRead >= 3 && buffer.toString("latin1", 0, 3) === "BZh") return bunzip;
  const isGzip = bytesRead >= 2 && buffer.readUInt16BE(0) === 0x1f8b;
  return isGzip ? (pieces) => Readable.from(pieces).pipe(createGunzip()) : (pieces) => pieces;
}

async function readStart(path: string) {
  await using handle = await open(path, "r");
  return handle.read(Buffer.alloc(4), 0, 4, 0);
}

/** The system's bzip2 takes less than half the time of the one in JavaScript, which is for systems without it. */
async function* bunzip(pieces: Pieces): Pieces {
  const child = spawn("bzip2", ["-dc"], { stdio: ["pipe", "pipe", "pipe"] });
  const isThere = await new Promise<boolean>((resolve) => {
    child.once("spawn", () => resolve(true));
    child.once("error", () => resolve(false));
  });
  if (!isThere) {
    yield* bunzipHere(pieces);
    return;
  }
  let complaint = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = (complaint + text).slice(-500);
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  // If it stops reading, its exit code says why.
  const feeding = pipeline(pieces, child.stdin).catch((error: unknown) => error);
  try {
    yield* child.stdout;
    if ((await ended) !== 0) throw new Error(complaint.trim().split("\n")[0] ?? "bzip2 failed");
    await feeding;
  } finally {
    child.kill("SIGKILL");
  }
}

/** The library's streams are of the oldest kind, which pass no errors on. */
async function* bunzipHere(pieces: Pieces): Pieces {
  const decoder = unbzip2();
  const unpacked = new PassThrough();
  decoder.pipe(unpacked);
  decoder.on("error", (error) => unpacked.destroy(error));
  const feeding = (async () => {
    for await (const piece of pieces) if (!decoder.write(piece)) await once(decoder, "drain");
    decoder.end();
  })();
  feeding.catch((error: unknown) => unpacked.destroy(error instanceof Error ? error : new Error(String(error))));
  yield* unpacked;
}

function counting(note: Note) {
  return async function* (pieces: Pieces): Pieces {
    let done = 0;
    for await (const piece of pieces) {
      done += piece.length;
      note(done);
      yield piece;
    }
  };
}

function capped(maxBytes: number, sentence: string) {
  return async function* (pieces: Pieces): Pieces {
    let size = 0;
    for await (const piece of pieces) {
      size += piece.length;
      if (size > maxBytes) throw hostile(`${sentence} (${maxBytes} bytes).`);
      yield piece;
    }
  };
}
