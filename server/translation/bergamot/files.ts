import { readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { InstalledModel } from "#server/models/model.ts";
import { baseLanguage, type LanguagePair } from "../engine.ts";

/** The files of a model, absolute. */
export interface BergamotFiles {
  model: string;
  /** Which words are considered for each word; without it, translating takes several times as long. */
  shortlist?: string | undefined;
  /** One for both languages, or the source's and the target's. */
  vocabularies: string[];
}

/**
 * The files of a folder, as Mozilla names them: "model.enes.intgemm.alphas.bin", "lex.50.50.enes.s2t.bin", "vocab.enes.spm" (or
 * "srcvocab.enja.spm" and "trgvocab.enja.spm").
 * @returns a reason when it is no such model
 */
export function findFiles(folder: string): BergamotFiles | string {
  const names = namesIn(folder);
  const find = (pattern: RegExp) => names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
  const [model] = find(modelName);
  const [shortlist] = find(/^lex\..*\.bin$/);
  const shared = find(/^vocab\..*\.spm$/);
  const vocabularies = shared.length > 0 ? shared.slice(0, 1) : [...find(/^srcvocab\..*\.spm$/), ...find(/^trgvocab\..*\.spm$/)];
  if (model === undefined) return "it holds no model.*.bin";
  if (shared.length === 0 && vocabularies.length !== 2) return "it holds no vocab.*.spm";
  return { model, shortlist, vocabularies };
}

const modelName = /^model\..*\.bin$/;

/** What a model translates, in base codes; undefined when neither the catalogue nor its files' names tell. */
export function pairOf({ entry, folder }: Pick<InstalledModel, "entry" | "folder">): LanguagePair | undefined {
  if (entry?.pair !== undefined) return { source: baseLanguage(entry.pair.source), target: baseLanguage(entry.pair.target) };
  const name = namesIn(folder).find((file) => modelName.test(file)) ?? "";
  const [, source, target] = /^model\.([a-z]{2})([a-z]{2})\./.exec(name) ?? [];
  if (source === undefined || target === undefined) return undefined;
  return { source: baseLanguage(source), target: baseLanguage(target) };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    // It has been removed meanwhile.
    return [];
  }
}

/** The version of the format that Bergamot reads. */
const formatVersion = 1n;
/** Bytes of an item's header: lengths of name, shape and data, and its type. */
const headerBytes = 32;
/** Far above any real model's, to refuse what is no model without reading it all. */
const maxItems = 10_000;

/**
 * Checks that a file is a model of Marian's, and whole: the engine itself would read behind its end.
 * @returns whether it holds the factors ("alphas") by which its inputs are quantised
 * @throws Error that says what is wrong with it
 */
export async function checkModelFile(path: string): Promise<{ hasAlphas: boolean }> {
  await using file = await open(path);
  const { size } = await file.stat();
  const read = async (at: number, bytes: number) => {
    if (at + bytes > size) throw new Error("The model's file is truncated.");
    return (await file.read(Buffer.alloc(bytes), 0, bytes, at)).buffer;
  };
  if (size < 16) throw new Error("The model's file is truncated.");
  const start = await read(0, 16);
  const count = Number(start.readBigUInt64LE(8));
  if (start.readBigUInt64LE(0) !== formatVersion || count === 0 || count > maxItems)
    throw new Error("The file is no model of this kind.");
  const headers = await read(16, count * headerBytes);
  const long = (at: number) => Number(headers.readBigUInt64LE(at));
  const sum = (offset: number) =>
    Array.from({ length: count }, (_, at) => long(at * headerBytes + offset)).reduce((a, b) => a + b);
  const namesAt = 16 + headers.length;
  const names = await read(namesAt, sum(0));
  const gapAt = namesAt + names.length + sum(16) * 4;
  const gap = await read(gapAt, 8);
  const needed = gapAt + 8 + Number(gap.readBigUInt64LE()) + sum(24);
  if (needed > size) throw new Error("The model's file is truncated.");
  return { hasAlphas: names.includes("_QuantMultA\0") };
}
