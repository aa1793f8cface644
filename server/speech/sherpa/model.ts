import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { type SpeechLanguage, speechLanguages } from "#contract/index.ts";
import { speechLanguageOf } from "../languages.ts";

/** sherpa-onnx's parameters of a model; all paths are absolute. */
export type SherpaModel = { folder: string; tokens: string; languages: readonly SpeechLanguage[] } & (
  | { kind: "whisper"; encoder: string; decoder: string }
  | { kind: "moonshine"; preprocessor: string; encoder: string; uncachedDecoder: string; cachedDecoder: string }
  | { kind: "transducer"; encoder: string; decoder: string; joiner: string; isNemo: boolean }
  | { kind: "streamingTransducer"; encoder: string; decoder: string; joiner: string }
  | { kind: "paraformer"; model: string }
  | { kind: "streamingParaformer"; encoder: string; decoder: string }
  | { kind: "senseVoice"; model: string }
);

/** NVIDIA's Parakeet v3 detects 25 European languages: all of the contract's but Norwegian. */
const parakeetV3 = speechLanguages.filter((language) => language !== "no-NO");

/**
 * Recognises a model by the files of its folder, as sherpa-onnx's own archives name them. The int8 file is taken where there are
 * two: a quarter of the size, nearly as exact and much faster without a graphics card.
 * @returns a reason when no supported model is found
 */
export async function recogniseModel(folder: string): Promise<SherpaModel | string> {
  const files = await readdir(folder);
  const find = (pattern: RegExp): string | undefined => {
    const found = files.filter((file) => pattern.test(file)).sort();
    const best = found.find((file) => file.includes("int8")) ?? found[0];
    return best === undefined ? undefined : join(folder, best);
  };
  if (files.length === 0) return "it is empty";
  const tokens = find(/tokens\.txt$/);
  if (tokens === undefined) return "it holds no tokens.txt";
  const names = [basename(folder), ...files].join(" ").toLowerCase();
  const model = encoderModel(find, names) ?? singleModel(find, names);
  if (model === undefined)
    return "its .onnx files are of no kind that is known here (Whisper, Moonshine, transducer, Paraformer, SenseVoice)";
  return { folder, tokens, languages: languagesOf(model.kind, names, basename(folder)), ...model };
}

type Find = (pattern: RegExp) => string | undefined;
type Distribute<Model> = Model extends unknown ? Omit<Model, "folder" | "tokens" | "languages"> : never;
type Files = Distribute<SherpaModel>;

function encoderModel(find: Find, names: string): Files | undefined {
  const preprocessor = find(/preprocess.*\.onnx$/);
  const uncachedDecoder = find(/uncached_decode.*\.onnx$/);
  const cachedDecoder = find(/(?<!un)cached_decode.*\.onnx$/);
  const encode = find(/^encode\b.*\.onnx$/);
  if (preprocessor !== undefined && uncachedDecoder !== undefined && cachedDecoder !== undefined && encode !== undefined) {
    return { kind: "moonshine", preprocessor, encoder: encode, uncachedDecoder, cachedDecoder };
  }
  const encoder = find(/encoder.*\.onnx$/);
  const decoder = find(/decoder.*\.onnx$/);
  const joiner = find(/joiner.*\.onnx$/);
  if (encoder === undefined || decoder === undefined) return undefined;
  const isStreaming = /streaming|chunk-\d+/.test(names);
  if (joiner !== undefined) {
    const files = { encoder, decoder, joiner };
    return isStreaming
      ? { kind: "streamingTransducer", ...files }
      : { kind: "transducer", ...files, isNemo: /nemo|parakeet/.test(names) };
  }
  if (names.includes("paraformer")) return { kind: "streamingParaformer", encoder, decoder };
  return /canary|fire-?red/.test(names) ? undefined : { kind: "whisper", encoder, decoder };
}

function singleModel(find: Find, names: string): Files | undefined {
  const model = find(/^model.*\.onnx$/);
  if (model === undefined) return undefined;
  if (/sense-?voice/.test(names)) return { kind: "senseVoice", model };
  return names.includes("paraformer") ? { kind: "paraformer", model } : undefined;
}

/**
 * Multilingual kinds support all languages; the others have their language in the folder's name ("...-zipformer-fr-2023"), else
 * English.
 */
function languagesOf(kind: SherpaModel["kind"], names: string, folder: string): readonly SpeechLanguage[] {
  if (kind === "whisper") return /\.en\b|distil/.test(names) ? ["en"] : speechLanguages;
  if (kind === "senseVoice") return ["auto", "en"];
  if (/parakeet.*v3/.test(names)) return parakeetV3;
  const named = folder.toLowerCase().split(/[-_.]/).map(speechLanguageOf);
  const languages = [...new Set(named.filter((language) => language !== undefined))];
  return languages.length > 0 ? languages : ["en"];
}
