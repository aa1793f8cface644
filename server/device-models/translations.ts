import { createHash } from "node:crypto";
import { createReadStream, statSync } from "node:fs";
import type { DeviceTranslationFile } from "#contract/index.ts";
import type { InstalledModel, InstalledModels } from "#server/models/model.ts";
import { directPairs, findFiles } from "#server/translation/bergamot/files.ts";
import { keyOfPair, type LanguagePair } from "#server/translation/engine.ts";

/** A file that browsers may have. */
interface OfferedFile extends Omit<DeviceTranslationFile, "url"> {
  /** Absolute. */
  path: string;
}

/** The translation models of this machine that browsers may use: those installed for Bergamot. */
export interface DeviceTranslations {
  /** The size of a pair's model; undefined without one. */
  bytesOf(pair: LanguagePair): number | undefined;
  /** The files of a pair's model; empty without one. The first call reads them for their hashes. */
  filesOf(pair: LanguagePair): Promise<OfferedFile[]>;
}

type Found = Omit<OfferedFile, "sha256"> & { mtimeMs: number };

export function findDeviceTranslations(models: InstalledModels): DeviceTranslations {
  let known: Map<string, Found[]> | undefined;
  models.onChange(() => {
    known = undefined;
  });
  const find = (pair: LanguagePair): Found[] => {
    known ??= new Map([...directPairs(models.all())].map(([key, model]) => [key, filesIn(model)]));
    return known.get(keyOfPair(pair)) ?? [];
  };
  const hashes = new Map<string, Promise<string>>();
  const hashOf = ({ path, bytes, mtimeMs }: Found): Promise<string> => {
    const key = `${path} ${bytes} ${mtimeMs}`;
    const hash = hashes.get(key) ?? readHash(path);
    hashes.set(key, hash);
    // A failed read is retried.
    hash.catch(() => hashes.delete(key));
    return hash;
  };
  return {
    bytesOf: (pair) => {
      const files = find(pair);
      return files.length === 0 ? undefined : files.reduce((sum, { bytes }) => sum + bytes, 0);
    },
    filesOf: (pair) => Promise.all(find(pair).map(async (file) => ({ ...file, sha256: await hashOf(file) }))),
  };
}

/** Empty for a model that is not whole, or is being removed. */
function filesIn({ folder }: InstalledModel): Found[] {
  const files = findFiles(folder);
  if (typeof files === "string") return [];
  const [vocabulary, targetVocabulary] = files.vocabularies;
  const parts = { model: files.model, shortlist: files.shortlist, vocabulary, targetVocabulary };
  const found: Found[] = [];
  for (const part of ["model", "shortlist", "vocabulary", "targetVocabulary"] as const) {
    const path = parts[part];
    if (path === undefined) continue;
    const info = statSync(path, { throwIfNoEntry: false });
    if (info === undefined) return [];
    found.push({ part, path, bytes: info.size, mtimeMs: info.mtimeMs });
  }
  return found;
}

async function readHash(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
