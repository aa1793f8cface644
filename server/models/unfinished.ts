import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as v from "valibot";
import { ModelCheck } from "#contract/index.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { folderName } from "./folders.ts";
import type { ImportedFile } from "./installation-steps.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";

// The state of installations that survives the process, and how the next start continues it.

/** A file that is being imported is younger (milliseconds). */
const staleImportMs = 60 * 60_000;
const notesName = ".parlance.json";

/** The notes beside a download, which survive the process. */
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
    log.warn("the download's progress can't be saved", { id, ...describeError(error) });
  }
}

/** Removes staging folders that no process uses. */
export async function removeStale(root: string, isHeldElsewhere: (id: string) => Promise<boolean>): Promise<void> {
  for (const name of await readdir(root)) {
    const id = /^\.unpacking-(.+)$/.exec(name)?.[1];
    if (id !== undefined && !(await isHeldElsewhere(id))) await rm(join(root, name), { recursive: true, force: true });
  }
}

/** Removes files of imports whose process ended; a file that is arriving now is younger. */
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
  /** The first event for it. */
  first: "pause.requested" | "install.requested" | "file.given";
}

/** Running installations continue; paused or failed ones wait for the operator. */
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
