import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ModelKind } from "#contract/index.ts";

/** The files that sherpa-onnx loads for each kind of model; all paths are absolute. */
type SherpaFiles =
  | { kind: "whisper"; encoder: string; decoder: string }
  | { kind: "moonshine"; encoder: string; mergedDecoder: string }
  | { kind: "moonshine"; preprocessor: string; encoder: string; uncachedDecoder: string; cachedDecoder: string }
  | { kind: "transducer" | "nemoTransducer" | "streamingTransducer"; encoder: string; decoder: string; joiner: string }
  | { kind: "canary"; encoder: string; decoder: string }
  | { kind: "nemoCtc"; model: string }
  | { kind: "paraformer"; model: string }
  | { kind: "streamingParaformer"; encoder: string; decoder: string }
  | { kind: "senseVoice"; model: string };
export type SherpaKind = SherpaFiles["kind"];

/**
 * sherpa-onnx's parameters of a model, with its SentencePiece pieces for hotwords where it has them, as text or as
 * trained.
 */
export type SherpaModel = SherpaFiles & { folder: string; tokens: string; bpeVocab?: string; bpeModel?: string };

const kinds: ReadonlySet<string> = new Set<SherpaKind>([
  "whisper",
  "moonshine",
  "transducer",
  "nemoTransducer",
  "streamingTransducer",
  "canary",
  "nemoCtc",
  "paraformer",
  "streamingParaformer",
  "senseVoice",
]);

/** Whether a model of this kind recognizes speech through sherpa-onnx. */
export function isSherpaKind(kind: ModelKind): kind is SherpaKind & ModelKind {
  return kinds.has(kind);
}

/** The kinds that emit words during speech. */
export function isStreamingKind(kind: ModelKind): boolean {
  return kind === "streamingTransducer" || kind === "streamingParaformer";
}

/**
 * The kinds that generate word after word like a language model. The others transcribe each stretch of sound by itself.
 */
export function isGenerative(kind: ModelKind): boolean {
  return kind === "whisper" || kind === "moonshine" || kind === "canary";
}

/** Whether a model of this kind can use expected words, if it has SentencePiece's pieces. */
export function takesHotwords(kind: ModelKind): boolean {
  return kind === "transducer" || kind === "nemoTransducer" || kind === "streamingTransducer";
}

type Find = (pattern: RegExp) => string | undefined;

/**
 * The files of a model of a known kind, as sherpa-onnx's own archives name them. Of two files, the int8 one is taken:
 * it has a quarter of the size, is nearly as exact, and is much faster without a graphics card.
 * @returns a reason when files are missing
 */
export async function findFiles(folder: string, kind: SherpaKind): Promise<SherpaModel | string> {
  const files = await readdir(folder);
  if (files.length === 0) return "it is empty";
  const find = findIn(folder, files);
  const tokens = find(/tokens\.txt$/);
  if (tokens === undefined) return "it has no tokens.txt";
  const own = filesOf(kind, find);
  if (own === undefined) return `it has no ${kind} model`;
  const bpeVocab = find(/bpe\.vocab$/);
  const bpeModel = find(/bpe\.model$/);
  return { folder, tokens, ...(bpeVocab !== undefined && { bpeVocab }), ...(bpeModel !== undefined && { bpeModel }), ...own };
}

function findIn(folder: string, files: readonly string[]): Find {
  return (pattern) => {
    const found = files.filter((file) => pattern.test(file)).sort();
    const best = found.find((file) => file.includes("int8")) ?? found[0];
    return best === undefined ? undefined : join(folder, best);
  };
}

function filesOf(kind: SherpaKind, find: Find): SherpaFiles | undefined {
  if (kind === "moonshine") return moonshine(find);
  if (kind === "nemoCtc" || kind === "paraformer" || kind === "senseVoice") {
    const model = find(/^model.*\.onnx$/);
    return model === undefined ? undefined : { kind, model };
  }
  const encoder = find(/encoder.*\.onnx$/);
  const decoder = find(/decoder.*\.onnx$/);
  if (encoder === undefined || decoder === undefined) return undefined;
  if (kind === "whisper" || kind === "canary" || kind === "streamingParaformer") return { kind, encoder, decoder };
  const joiner = find(/joiner.*\.onnx$/);
  return joiner === undefined ? undefined : { kind, encoder, decoder, joiner };
}

/** Moonshine has two files since version 2, and four before. */
function moonshine(find: Find): SherpaFiles | undefined {
  const [ortEncoder, mergedDecoder] = [find(/encoder_model\.ort$/), find(/decoder_model_merged\.ort$/)];
  if (ortEncoder !== undefined && mergedDecoder !== undefined) return { kind: "moonshine", encoder: ortEncoder, mergedDecoder };
  const preprocessor = find(/preprocess.*\.onnx$/);
  const encoder = find(/^encode\b.*\.onnx$/);
  const uncachedDecoder = find(/uncached_decode.*\.onnx$/);
  const cachedDecoder = find(/(?<!un)cached_decode.*\.onnx$/);
  if (preprocessor === undefined || encoder === undefined || uncachedDecoder === undefined || cachedDecoder === undefined) {
    return undefined;
  }
  return { kind: "moonshine", preprocessor, encoder, uncachedDecoder, cachedDecoder };
}
