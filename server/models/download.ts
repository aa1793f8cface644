import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { CatalogueModel } from "./catalogue.ts";
import type { ModelClient } from "./opening.ts";
import { bytesOf, type Source } from "./sources.ts";
import { type FreeBytes, requireSpace } from "./space.ts";
import { transfer } from "./transfer.ts";

/** The maximum bytes of an archive in the catalogue. */
const largest = 8 * 1024 ** 3;

export interface DownloadParts {
  client: ModelClient;
  freeBytes: FreeBytes;
}

/**
 * Downloads every file of a source into the folder. Files of other sources are removed.
 * @throws InstallationProblem; the signal's reason
 */
export async function download(
  { client, freeBytes }: DownloadParts,
  { entry, source, folder }: { entry: CatalogueModel; source: Source; folder: string },
  listener: { progressed(done: number, total: number | null): void; from(host: string): void },
  signal: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await removeOthers(folder, source);
  const total = bytesOf(source) ?? null;
  let before = 0;
  for (const file of source.files) {
    const path = join(folder, file.name);
    let size = 0;
    await transfer(
      { url: file.url, isMirror: source.isMirror, path, bytes: file.bytes, maxBytes: largest },
      client,
      {
        progressed: (done, ofFile, host) => {
          size = done;
          listener.from(host);
          listener.progressed(before + done, total ?? (source.files.length === 1 ? ofFile : null));
        },
        // After unpacking, it exists twice for a moment.
        checkSpace: (left) => requireSpace(folder, left + entry.diskBytes, freeBytes),
      },
      signal,
    );
    before += size;
  }
}

async function removeOthers(folder: string, { files }: Source): Promise<void> {
  const own = new Set(files.flatMap(({ name }) => [name, `${name}.json`]));
  for (const name of await readdir(folder)) {
    // Names that begin with a dot belong to the installer.
    if (!own.has(name) && !name.startsWith(".")) await rm(join(folder, name), { recursive: true, force: true });
  }
}
