import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { MeasuredSpeed } from "#contract/index.ts";
import { builtInModel } from "./built-in.ts";
import type { CatalogueModel } from "./catalogue.ts";
import { folderName, type ModelFolders } from "./folders.ts";
import { readJsonFile } from "./json-file.ts";
import { type Manifest, manifestName, readManifest } from "./manifest.ts";
import type { InstalledModel } from "./model.ts";
import { type Recognized, recognize } from "./recognize.ts";

/** A folder among the models, usable or not. */
export interface FoundModel {
  /** The folder's name. */
  id: string;
  /** The time of installation, ISO 8601; null for one that was unpacked by hand. */
  at: string | null;
  source: "builtIn" | "catalogue" | "file" | "byHand";
  /** Bytes on the disk. */
  bytes: number;
  /** Why it can't be used although it is present, in English for the operator; null if it can. */
  fault: string | null;
  /** Null: it can't be used. */
  model: InstalledModel | null;
}

/** Deeper folders than this are no part of a model. */
const deepest = 6;

/** The model that comes with the product, and every model's folder, sorted by name. @param catalogue by id */
export async function scanModels(folders: ModelFolders, catalogue: ReadonlyMap<string, CatalogueModel>): Promise<FoundModel[]> {
  const names = (await readdir(folders.root)).filter((name) => folderName.test(name) && name !== builtInModel.id);
  const found = await Promise.all(names.map((name) => scanModel(folders, name, catalogue.get(name))));
  const { id, bytes } = builtInModel;
  const speed = await readSpeed(folders, id);
  const builtIn: FoundModel = { id, at: null, source: "builtIn", bytes, fault: null, model: { ...builtInModel, speed } };
  return [builtIn, ...found.filter((one) => one !== undefined)].sort((a, b) => (a.id < b.id ? -1 : 1));
}

async function scanModel(folders: ModelFolders, id: string, entry: CatalogueModel | undefined): Promise<FoundModel | undefined> {
  const folder = join(folders.root, id);
  try {
    if (!(await stat(folder)).isDirectory()) return undefined;
    const files = await filesIn(folder);
    const bytes = [...files.values()].reduce((sum, size) => sum + size, 0);
    const manifest = await readManifest(folder).catch((error: unknown) => damaged(error));
    const base = { id, bytes, at: null, model: null };
    if (manifest instanceof Error) return { ...base, source: "catalogue", fault: manifest.message };
    const found = manifest === undefined ? await readByHand(folder, id, entry) : ofManifest(manifest, id, files);
    const at = manifest?.installedAt ?? null;
    const source = manifest?.source ?? "byHand";
    if (typeof found === "string") return { ...base, at, source, fault: found };
    const { purpose, kind, languages } = found;
    const speed = await readSpeed(folders, id);
    const model = { id, folder, purpose, kind, languages, entry, check: manifest?.check ?? "none", bytes, speed } as const;
    return { ...base, at, source, fault: null, model };
  } catch (error) {
    // Removed in this moment, or a file system that refuses: both are no model.
    return error instanceof Error && "code" in error && error.code === "ENOENT" ? undefined : unreadable(id, error);
  }
}

function unreadable(id: string, error: unknown): FoundModel {
  const reason = error instanceof Error ? error.message : String(error);
  return { id, at: null, source: "byHand", bytes: 0, fault: `it can't be read (${reason})`, model: null };
}

function damaged(error: unknown): Error {
  return new Error(`its ${manifestName} is damaged (${error instanceof Error ? error.message : String(error)})`);
}

/** An installed model is complete if every file has its size. */
function ofManifest(manifest: Manifest, id: string, files: ReadonlyMap<string, number>): Recognized | string {
  if (manifest.id !== id) return `its folder has another name than the model ${manifest.id}`;
  const broken = manifest.files.find(({ path, bytes }) => files.get(path) !== bytes);
  if (broken === undefined) return manifest;
  return files.has(broken.path) ? `the size of ${broken.path} has changed` : `${broken.path} is missing`;
}

/** The catalogue knows more of a folder that is called as it calls the model; the files say whether it is one. */
async function readByHand(folder: string, id: string, entry: CatalogueModel | undefined): Promise<Recognized | string> {
  const recognized = recognize(id, await readdir(folder), entry?.kind);
  if (typeof recognized === "string" || entry === undefined) return recognized;
  if (recognized.kind !== entry.kind) return `its files belong to a ${recognized.kind} model, but its name says ${entry.kind}`;
  return { purpose: entry.purpose, kind: entry.kind, languages: entry.languages };
}

async function readSpeed({ speeds }: ModelFolders, id: string): Promise<MeasuredSpeed | undefined> {
  return readJsonFile(join(speeds, `${id}.json`), MeasuredSpeed).catch(() => undefined);
}

/** Paths below the folder, with "/", and their sizes. */
async function filesIn(folder: string, way = "", depth = 0): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  if (depth > deepest) return found;
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      for (const [below, size] of await filesIn(path, `${way}${entry.name}/`, depth + 1)) found.set(below, size);
    } else {
      // A link may lead to a file elsewhere, or to nothing.
      const info = await stat(path).catch(() => undefined);
      if (info?.isFile() === true) found.set(`${way}${entry.name}`, info.size);
    }
  }
  return found;
}
