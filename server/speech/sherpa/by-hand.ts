import { readdir, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { speechLanguages } from "#contract/index.ts";
import { type InstalledModel, type InstalledModels, noModels } from "#server/models/model.ts";
import { isoOf } from "../languages.ts";
import { type Find, filesOf, findIn, moonshine, type SherpaKind } from "./model.ts";

/** The models in a folder, as they are now: one folder each. Folders in which no model is recognised are left out. */
export async function modelsByHand(modelsFolder: string): Promise<InstalledModels> {
  const names = await readdir(modelsFolder).catch(() => []);
  const found = await Promise.all(names.sort().map((name) => modelIn(join(modelsFolder, name))));
  const all = found.filter((model) => model !== undefined);
  return {
    ...noModels,
    all: () => all,
    find: (id) => all.find((model) => model.id === id),
    hold: async () => new AsyncDisposableStack(),
  };
}

async function modelIn(folder: string): Promise<InstalledModel | undefined> {
  if (!(await stat(folder)).isDirectory()) return undefined;
  const recognised = await recogniseModel(folder);
  if (typeof recognised === "string") return undefined;
  const files = await readdir(folder);
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(folder, file))).size));
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return {
    ...recognised,
    id: basename(folder),
    folder,
    purpose: "hearing",
    entry: undefined,
    check: "none",
    bytes,
    speed: undefined,
  };
}

/**
 * Recognises a model that was unpacked by hand by the files of its folder.
 * @returns its kind and base codes of its languages; a reason when no supported model is found
 */
export async function recogniseModel(folder: string): Promise<{ kind: SherpaKind; languages: string[] } | string> {
  const files = await readdir(folder);
  if (files.length === 0) return "it is empty";
  const find = findIn(folder, files);
  if (find(/tokens\.txt$/) === undefined) return "it holds no tokens.txt";
  const names = [basename(folder), ...files].join(" ").toLowerCase();
  const kind = kindOf(find, names);
  if (kind === undefined || filesOf(kind, find) === undefined) {
    return "its .onnx files are of no kind that is known here (Whisper, Moonshine, transducer, NeMo, Canary, Paraformer, SenseVoice)";
  }
  return { kind, languages: languagesOf(kind, names, basename(folder)) };
}

function kindOf(find: Find, names: string): SherpaKind | undefined {
  if (moonshine(find) !== undefined) return "moonshine";
  if (find(/joiner.*\.onnx$/) !== undefined) {
    if (/streaming|chunk-\d+/.test(names)) return "streamingTransducer";
    return /nemo|parakeet/.test(names) ? "nemoTransducer" : "transducer";
  }
  if (find(/encoder.*\.onnx$/) !== undefined) {
    if (names.includes("canary")) return "canary";
    if (names.includes("paraformer")) return "streamingParaformer";
    return /fire-?red|cohere|qwen|funasr/.test(names) ? undefined : "whisper";
  }
  if (/sense-?voice/.test(names)) return "senseVoice";
  if (names.includes("paraformer")) return "paraformer";
  return /nemo|parakeet/.test(names) ? "nemoCtc" : undefined;
}

const contractLanguages = speechLanguages.map(isoOf).filter((iso) => iso !== undefined);

/**
 * Multilingual kinds support all languages; the others have their language in the folder's name ("...-zipformer-fr-2023"), else
 * English.
 */
function languagesOf(kind: SherpaKind, names: string, folder: string): string[] {
  if (kind === "whisper") return /\.en\b|distil/.test(names) ? ["en"] : contractLanguages;
  if (kind === "senseVoice") return ["en", "ja", "ko", "yue", "zh"];
  // NVIDIA's Parakeet v3 detects 25 European languages: all of the contract's but Norwegian.
  if (/parakeet.*v3/.test(names)) return contractLanguages.filter((iso) => iso !== "no");
  const named = folder.toLowerCase().split(/[-_.]/);
  const languages = contractLanguages.filter((iso) => named.includes(iso));
  return languages.length > 0 ? languages : ["en"];
}
