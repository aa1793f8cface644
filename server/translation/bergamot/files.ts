import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { InstalledModel } from "#server/models/model.ts";
import { baseLanguage, keyOfPair, type LanguagePair } from "../engine.ts";

/** The files of a model; absolute paths. */
export interface BergamotFiles {
  model: string;
  /** The candidate words for each word. Without it, translating takes several times as long. */
  shortlist?: string | undefined;
  /** One file for both languages, or the source's and the target's. */
  vocabularies: string[];
}

/**
 * The files of a model's folder, as Mozilla names them: "model.enes.intgemm.alphas.bin", "lex.50.50.enes.s2t.bin",
 * "vocab.enes.spm" (or "srcvocab.enja.spm" and "trgvocab.enja.spm").
 * @returns a reason when the folder holds no such model
 */
export function findFiles(folder: string): BergamotFiles | string {
  const names = namesIn(folder);
  const find = (pattern: RegExp) => names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
  const [model] = find(modelName);
  const [shortlist] = find(/^lex\..*\.bin$/);
  const shared = find(/^vocab\..*\.spm$/);
  const vocabularies = shared.length > 0 ? shared.slice(0, 1) : [...find(/^srcvocab\..*\.spm$/), ...find(/^trgvocab\..*\.spm$/)];
  if (model === undefined) return "it has no model.*.bin";
  if (shared.length === 0 && vocabularies.length !== 2) return "it has no vocab.*.spm";
  return { model, shortlist, vocabularies };
}

const modelName = /^model\..*\.bin$/;

/** The languages of a model in base codes; undefined when neither the catalog nor the file names tell. */
export function pairOf({ entry, folder }: Pick<InstalledModel, "entry" | "folder">): LanguagePair | undefined {
  if (entry?.pair !== undefined) return { source: baseLanguage(entry.pair.source), target: baseLanguage(entry.pair.target) };
  const name = namesIn(folder).find((file) => modelName.test(file)) ?? "";
  const [, source, target] = /^model\.([a-z]{2})([a-z]{2})\./.exec(name) ?? [];
  if (source === undefined || target === undefined) return undefined;
  return { source: baseLanguage(source), target: baseLanguage(target) };
}

/** The best model of each pair: by published quality, else the larger one. */
export function directPairs(all: readonly InstalledModel[]): Map<string, InstalledModel> {
  const best = new Map<string, InstalledModel>();
  const rank = ({ entry, bytes }: InstalledModel) => [entry?.comet?.score ?? 0, bytes] as const;
  for (const model of all) {
    const pair = model.kind === "bergamot" ? pairOf(model) : undefined;
    if (pair === undefined) continue;
    const key = keyOfPair(pair);
    const known = best.get(key);
    const [score, bytes] = rank(model);
    const [knownScore, knownBytes] = known === undefined ? [-1, -1] : rank(known);
    if (score > knownScore || (score === knownScore && bytes > knownBytes)) best.set(key, model);
  }
  return best;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // The folder has been removed in the meantime.
    return [];
  }
}
