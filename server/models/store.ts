import { randomUUID } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { ModelChoices } from "#contract/index.ts";
import { errorCodeOf, Problem } from "#server/errors/problem.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { isThere } from "#server/storage/files.ts";
import { builtInModel, onlyBuiltIn } from "./built-in.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { folderName, type ModelFolders, modelFolders } from "./folders.ts";
import { openHolds } from "./holds.ts";
import { readJsonFile, writeJsonFile } from "./json-file.ts";
import type { InstalledModels } from "./model.ts";
import { type FoundModel, scanModels } from "./scan.ts";

/** The ms between reads of the folder without a reported change: not every file system reports changes. */
const pollMs = 10_000;
/** Several changes that follow each other cause one scan (ms). */
const quietMs = 50;
/** The ms after which the rest of an ended process's removal is deleted. */
const leftoverMs = 60 * 60_000;
const removing = ".removing-";

/** The installed models, and their changes. */
export interface ModelStore extends InstalledModels {
  readonly folders: ModelFolders;
  /** Sorted by id, including unusable ones. */
  found(): readonly FoundModel[];
  isInUse(id: string): Promise<boolean>;
  /** @throws Problem `notFound`; `conflict` while it is in use, here or in another process */
  remove(id: string): Promise<void>;
  /** Reads the folder now. */
  rescan(): Promise<void>;
  /** Writes the choices unchecked: the caller has checked them. */
  setChoices(choices: ModelChoices): Promise<void>;
  close(): Promise<void>;
}

export interface ModelStoreOptions {
  /** Absolute; the models are in `<dataDir>/models`, which is created. */
  dataDir: string;
  catalogue: readonly CatalogueModel[];
  log: Log;
}

interface State {
  found: readonly FoundModel[];
  choices: ModelChoices;
}

/** @throws Error when the folder can't be created or read */
export async function openModelStore({ dataDir, catalogue, log }: ModelStoreOptions): Promise<ModelStore> {
  const folders = modelFolders(dataDir);
  for (const folder of [folders.root, folders.speeds]) await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folders.root);
  const byId = new Map(catalogue.map((entry) => [entry.id, entry]));
  const holds = openHolds(folders.holds);
  const listeners = new Set<() => void>();
  let state: State = { found: [], choices: onlyBuiltIn.choices() };
  let scanning: Promise<void> = Promise.resolve();

  const scan = async () => {
    const choices = await readChoices(folders, log, state.choices);
    const next = { found: await scanModels(folders, byId), choices };
    if (JSON.stringify(next) === JSON.stringify(state)) return;
    state = next;
    for (const listener of [...listeners]) listener();
  };
  // In sequence: an earlier scan must not overwrite a later one's result.
  const rescan = () => {
    scanning = scanning.then(scan, scan);
    return scanning;
  };
  const watching = watchFolder(folders.root, () =>
    rescan()
      .then(holds.renew)
      .catch((error: unknown) => log.warn("the models can't be read", describeError(error))),
  );
  const find = (id: string) => state.found.find((one) => one.id === id)?.model ?? undefined;
  try {
    await rescan();
  } catch (error) {
    watching.close();
    throw error;
  }
  return {
    folders,
    all: () => state.found.flatMap(({ model }) => model ?? []),
    found: () => state.found,
    find,
    choices: () => state.choices,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    hold: async (id) => {
      const model = find(id);
      if (model === undefined) throw new Error(`No model "${id}" is installed.`);
      const hold = await holds.take(id);
      // A removal moves the folder away before its last check of the holds, so that one of the two notices the other.
      if (await isThere(model.folder)) return hold;
      await hold[Symbol.asyncDispose]();
      throw new Error(`The model "${id}" is no longer installed.`);
    },
    noteSpeed: async (id, speed) => {
      if (!folderName.test(id)) throw new Error(`"${id}" is not the name of a model.`);
      await writeJsonFile(join(folders.speeds, `${id}.json`), speed);
      await rescan();
    },
    isInUse: holds.isHeld,
    remove: async (id) => {
      await removeModel(folders, id, holds.isHeld);
      await rescan();
    },
    rescan,
    setChoices: async (choices) => {
      await writeJsonFile(folders.choices, choices);
      await rescan();
    },
    close: async () => {
      watching.close();
      listeners.clear();
      await scanning.catch(() => undefined);
      await holds.close();
    },
  };
}

/** @throws Problem */
async function removeModel(folders: ModelFolders, id: string, isHeld: (id: string) => Promise<boolean>): Promise<void> {
  if (id === builtInModel.id) throw new Problem("conflict", "This model comes with Parlance and can't be removed.");
  const folder = join(folders.root, id);
  if (!folderName.test(id) || !(await isThere(folder))) throw new Problem("notFound", "This model is not installed.");
  const inUse = new Problem("conflict", "The model is in use. Try again when the jobs that use it have finished.");
  if (await isHeld(id)) throw inUse;
  const away = join(folders.root, `${removing}${id}-${randomUUID()}`);
  try {
    await rename(folder, away);
  } catch (error) {
    throw errorCodeOf(error) === "ENOENT" ? new Problem("notFound", "This model is not installed.") : error;
  }
  if (await isHeld(id)) {
    await rename(away, folder);
    throw inUse;
  }
  // A link to a folder elsewhere is removed as a link.
  await rm(away, { recursive: true, force: true });
  await rm(join(folders.speeds, `${id}.json`), { force: true });
}

async function removeLeftovers(root: string): Promise<void> {
  for (const name of await readdir(root)) {
    if (!name.startsWith(removing)) continue;
    const info = await stat(join(root, name)).catch(() => undefined);
    if (info !== undefined && Date.now() - info.ctimeMs > leftoverMs)
      await rm(join(root, name), { recursive: true, force: true });
  }
}

async function readChoices({ choices }: ModelFolders, log: Log, before: ModelChoices): Promise<ModelChoices> {
  try {
    return (await readJsonFile(choices, ModelChoices)) ?? onlyBuiltIn.choices();
  } catch (error) {
    log.warn("the model choices can't be read", describeError(error));
    return before;
  }
}

/** Calls the listener a moment after the folder has changed, and at intervals. It keeps no process alive. */
function watchFolder(folder: string, listener: () => void): { close(): void } {
  let soon: NodeJS.Timeout | undefined;
  const timer = setInterval(listener, pollMs).unref();
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, { persistent: false }, () => {
      clearTimeout(soon);
      soon = setTimeout(listener, quietMs).unref();
    });
    // If changes can't be watched (a network file system, no more watches), the interval must suffice.
    watcher.on("error", () => watcher?.close());
  } catch {
    watcher = undefined;
  }
  return {
    close: () => {
      clearInterval(timer);
      clearTimeout(soon);
      watcher?.close();
    },
  };
}
