import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { ModelCheck, ModelImport } from "#contract/index.ts";
import { isDiskFull, Problem } from "#server/errors/problem.ts";
import { type CatalogueFile, type CatalogueModel, singleOf } from "./catalogue.ts";
import { folderName } from "./folders.ts";
import { InstallationProblem } from "./installation-problem.ts";
import type { Installer } from "./installer.ts";
import { type FreeBytes, freeBytesOf, requireSpace } from "./space.ts";
import type { ModelStore } from "./store.ts";

/** The maximum bytes of a model. */
export const largestImport = 8 * 1024 ** 3;
/** The bytes between two checks of the free space. */
const spaceStep = 32 * 1024 * 1024;

const archiveName = /\.(tar\.bz2|tbz2|tar\.gz|tgz|tar)$/;

export interface ImportParts {
  store: ModelStore;
  installer: Installer;
  catalogue: readonly CatalogueModel[];
  freeBytes?: FreeBytes;
}

export interface ImportSource {
  /** The file's name where it comes from. */
  name: string;
  body: AsyncIterable<Uint8Array>;
  /** Bytes that are announced; undefined when they are not. */
  bytes: number | undefined;
}

/**
 * Imports a model from a file, for machines without internet access: an archive, or a single file of the catalogue.
 * @throws Problem `badRequest` for a file that is neither, or differs from the published one; `tooLarge`,
 *   `storageFull`, `conflict` if the model is already installed
 */
export async function importModel(parts: ImportParts, { name, body, bytes }: ImportSource): Promise<ModelImport> {
  const { store, installer, catalogue, freeBytes = freeBytesOf } = parts;
  const named = catalogue.find((entry) => fileNamed(entry, name) !== undefined);
  if (!folderName.test(name) || (named === undefined && !archiveName.test(name))) {
    throw new Problem("badRequest", "This is neither a model archive (.tar.bz2, .tar.gz, .tar) nor a file from the catalogue.");
  }
  const { downloads } = store.folders;
  await mkdir(downloads, { recursive: true });
  const arriving = join(downloads, `.import-${randomUUID()}`);
  try {
    const arrived = await receive(body, arriving, bytes, (left) => requireSpace(downloads, left, freeBytes));
    const known = catalogue.find((entry) => pinnedAs(entry, arrived.sha256)) ?? named;
    const id = known?.id ?? name.replace(archiveName, "");
    const check = known === undefined ? "none" : checkOf(known, name, arrived);
    const kept = known === undefined ? name : (fileOf(known, arrived.sha256)?.name ?? name);
    return { id, installation: await installer.installFile(id, { name: kept, check }, arriving) };
  } catch (error) {
    throw isFull(error) ? new Problem("storageFull", undefined, { cause: error }) : error;
  } finally {
    await rm(arriving, { force: true });
  }
}

const isFull = (error: unknown) => isDiskFull(error) || (error instanceof InstallationProblem && error.failure === "diskFull");

interface Arrived {
  bytes: number;
  sha256: string;
}

async function receive(
  body: AsyncIterable<Uint8Array>,
  path: string,
  announced: number | undefined,
  checkSpace: (bytesLeft: number) => Promise<void>,
): Promise<Arrived> {
  // After unpacking, it exists twice.
  await checkSpace((announced ?? 0) * 2);
  const hash = createHash("sha256");
  let [bytes, looked] = [0, 0];
  await using handle = await open(path, "wx", 0o644);
  for await (const piece of body) {
    bytes += piece.byteLength;
    if (bytes > largestImport) throw new Problem("tooLarge", `The file is larger than ${largestImport} bytes.`);
    hash.update(piece);
    await handle.writeFile(piece);
    if (bytes - looked < spaceStep) continue;
    looked = bytes;
    await checkSpace(Math.max(0, (announced ?? bytes) - bytes));
  }
  if (bytes === 0) throw new Problem("emptyFile");
  await handle.sync();
  return { bytes, sha256: hash.digest("hex") };
}

function fileNamed(entry: CatalogueModel, name: string): CatalogueFile | undefined {
  const single = singleOf(entry);
  return single?.name === name ? single : undefined;
}

function fileOf(entry: CatalogueModel, sha256: string): CatalogueFile | undefined {
  const single = singleOf(entry);
  return single?.sha256 === sha256 ? single : undefined;
}

const pinnedAs = (entry: CatalogueModel, sha256: string): boolean => fileOf(entry, sha256) !== undefined;

/** @throws Problem `badRequest` when it is called as something that was published, and differs from that */
function checkOf(entry: CatalogueModel, name: string, { bytes, sha256 }: Arrived): ModelCheck {
  const published = fileOf(entry, sha256) ?? fileNamed(entry, name);
  if (published === undefined) return "none";
  if (published.sha256 === sha256) return "pinned";
  const isOther = published.sha256 !== undefined || (published.bytes !== undefined && published.bytes !== bytes);
  if (isOther) throw new Problem("badRequest", `${name} differs from the published file. Check that the whole file was copied.`);
  return published.bytes === undefined ? "none" : "size";
}
