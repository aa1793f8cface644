import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { ModelCheck } from "#contract/index.ts";
import { bodyOf } from "#server/outbound/body.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { InstallationProblem } from "./installation-problem.ts";
import type { ModelClient } from "./opening.ts";
import type { Source, SourceFile } from "./sources.ts";

/** A list of SHA-256 has some hundred lines (bytes). */
const largestList = 4 * 1024 * 1024;
const listMs = 30_000;

type Progressed = (done: number, total: number | null) => void;

/**
 * Compares downloads with the published files, and deletes different ones.
 * @returns the weakest check of all files; `none` if only the files in the archive can be compared
 * @throws InstallationProblem `mismatch`, `unreachable`; the signal's reason
 */
export async function verify(
  { client }: { client: ModelClient },
  { entry, source, folder }: { entry: CatalogueModel; source: Source; folder: string },
  progressed: Progressed,
  signal: AbortSignal,
): Promise<ModelCheck> {
  const sizes = await Promise.all(source.files.map(async ({ name }) => (await stat(join(folder, name))).size));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const order = ["none", "size", "release", "pinned"] as const;
  let weakest: ModelCheck = "pinned";
  let before = 0;
  for (const [at, file] of source.files.entries()) {
    const path = join(folder, file.name);
    const size = sizes[at] ?? 0;
    const done = (bytes: number) => progressed(before + bytes, total);
    const check = await checkFile({ file, path, size }, client, entry, done, signal);
    if (order.indexOf(check) < order.indexOf(weakest)) weakest = check;
    before += size;
  }
  return weakest;
}

interface Arrived {
  file: SourceFile;
  path: string;
  /** Bytes. */
  size: number;
}

async function checkFile(
  { file, path, size }: Arrived,
  client: ModelClient,
  entry: CatalogueModel,
  done: (bytes: number) => void,
  signal: AbortSignal,
): Promise<ModelCheck> {
  const differs = async (what: string) => {
    await rm(path, { force: true });
    await rm(`${path}.json`, { force: true });
    return new InstallationProblem("mismatch", `The ${what} of ${file.name} differs from the published one.`);
  };
  if (file.bytes !== undefined && file.bytes !== size) throw await differs("size");
  const listed = file.sha256 === undefined ? await listedHash(file, client, signal) : undefined;
  const wanted = file.sha256 ?? listed;
  if (wanted !== undefined) {
    if ((await hashOf(path, done, signal)) !== wanted) throw await differs("SHA-256");
    return listed === undefined ? "pinned" : "release";
  }
  if (file.bytes !== undefined) return "size";
  if (entry.contents.some(({ sha256 }) => sha256 !== undefined)) return "none";
  throw new InstallationProblem("unreachable", `No published list has the SHA-256 of ${file.name}, so it can't be checked.`);
}

/** SHA-256 of a file, in hexadecimal. */
export async function hashOf(path: string, done: (bytes: number) => void, signal: AbortSignal): Promise<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const piece of createReadStream(path, { highWaterMark: 1024 * 1024, signal })) {
    if (!Buffer.isBuffer(piece)) continue;
    hash.update(piece);
    bytes += piece.length;
    done(bytes);
  }
  return hash.digest("hex");
}

/** A file's hash in the first available list; undefined if no list has it. */
async function listedHash(
  { name, checksums }: SourceFile,
  client: ModelClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (const { url, isMirror } of checksums) {
    try {
      const found = hashIn(await readList(client, url, isMirror, signal), name);
      if (found !== undefined) return found;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof InstallationProblem)) throw error;
    }
  }
  return undefined;
}

async function readList(client: ModelClient, address: string, isMirror: boolean, signal: AbortSignal): Promise<string> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(listMs)]);
  try {
    const answer = await client.open(address, isMirror, {}, either);
    const list = await text(bodyOf(answer, largestList, either));
    return answer.status === 200 ? list : "";
  } catch (error) {
    signal.throwIfAborted();
    throw new InstallationProblem("unreachable", "The list of SHA-256 values could not be loaded.", { cause: error });
  }
}

/** Lines with a name and a SHA-256, in either order. */
function hashIn(list: string, name: string): string | undefined {
  for (const line of list.split(/\r?\n/)) {
    const words = line
      .trim()
      .split(/[\s,]+/)
      .map((word) => word.replace(/^\*/, ""));
    if (!words.includes(name)) continue;
    const hash = words.find((word) => /^[0-9a-f]{64}$/i.test(word));
    if (hash !== undefined) return hash.toLowerCase();
  }
  return undefined;
}
