import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { ModelCheck } from "#contract/index.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { folderName } from "./folders.ts";
import type { ImportedFile } from "./installation-steps.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";

// What outlives the process that installs, and what becomes of it at the next start.

/** A file that is being imported is younger (milliseconds). */
const staleImportMs = 60 * 60_000;
const notesName = ".parlance.json";

/** What outlives the process, beside the download. */
const Notes = v.object({
  wanted: v.picklist(["running", "paused"]),
  file: v.optional(v.object({ name: v.string(), check: ModelCheck })),
});
export type Notes = v.InferOutput<typeof Notes>;

export async function writeNotes(downloads: string, id: string, notes: Notes, log: Log): Promise<void> {
  try {
    await mkdir(join(downloads, id), { recursive: true });
    await writeJsonFile(join(downloads, id, notesName), notes);
  } catch (error) {
    log.warn("what is downloaded can't be noted", { id, ...describeError(error) });
  }
}

/** Nobody unpacks there any more. */
export async function removeStale(root: string, isHeldElsewhere: (id: string) => Promise<boolean>): Promise<void> {
  for (const name of await readdir(root)) {
    const id = /^\.unpacking-(.+)$/.exec(name)?.[1];
    if (id !== undefined && !(await isHeldElsewhere(id))) await rm(join(root, name), { recursive: true, force: true });
  }
}

/** A file that was being imported when its process ended; one that is arriving now is younger. */
export async function removeImports(downloads: string): Promise<void> {
  for (const name of await readdir(downloads)) {
    const info = name.startsWith(".import-") ? await stat(join(downloads, name)).catch(() => undefined) : undefined;
    if (info !== undefined && Date.now() - info.mtimeMs > staleImportMs) await rm(join(downloads, name), { force: true });
  }
}

/** An installation that an earlier process left. */
interface Unfinished {
  id: string;
  file: ImportedFile | undefined;
  /** What is to be done with it first. */
  first: "pause.requested" | "install.requested" | "file.given";
}

/** What was running goes on; what was paused, or had failed, waits for somebody. */
export async function* listUnfinished(
  downloads: string,
  entries: ReadonlyMap<string, CatalogueModel>,
  isHeldElsewhere: (id: string) => Promise<boolean>,
): AsyncGenerator<Unfinished> {
  for (const id of (await readdir(downloads)).sort()) {
    const notes = await readJsonFile(join(downloads, id, notesName), Notes).catch(() => undefined);
    if (notes === undefined || !folderName.test(id) || (await isHeldElsewhere(id))) continue;
    const { wanted, file } = notes;
    if (file === undefined && !entries.has(id)) continue;
    if (wanted === "paused" && file === undefined) yield { id, file, first: "pause.requested" };
    else yield { id, file, first: file === undefined ? "install.requested" : "file.given" };
  }
}
