import type { ModelKind, ModelPurpose } from "#contract/index.ts";
import { parakeetLanguages, whisperLanguages } from "./languages.ts";

/** The kind of model that a folder's files indicate. */
export interface Recognized {
  purpose: ModelPurpose;
  kind: ModelKind;
  /** Base codes ("de"), sorted; empty: no language, or not known. */
  languages: readonly string[];
}

/**
 * Recognizes a model by the names of its folder and its files, as in its makers' archives.
 * @param files names of files and folders in the folder itself
 * @param said the catalogue's kind: distinguishes kinds with the same files if no name does
 * @returns a reason if it is no known model
 */
export function recognize(folder: string, files: readonly string[], said?: ModelKind): Recognized | string {
  if (files.length === 0) return "it is empty";
  const names = [folder, ...files, wordOf(said)].join(" ").toLowerCase();
  const has = (pattern: RegExp) => files.some((file) => pattern.test(file));
  if (has(/^model\b.*\.bin$/) && has(/vocab.*\.spm$/)) return { purpose: "translation", kind: "bergamot", languages: [] };
  const other = withoutTokens(has, names);
  if (other !== undefined) return { ...other, languages: other.purpose === "speaking" ? named(folder) : [] };
  if (!has(/tokens\.txt$/)) return "it has no tokens.txt";
  const kind = encoderKind(has, names) ?? singleKind(has, names);
  if (kind === undefined) return "its .onnx files are of an unknown kind";
  return { purpose: "hearing", kind, languages: languagesOf(kind, names, folder) };
}

/** The form of a kind in names: "speakerSegmentation" is "speaker-segmentation". */
function wordOf(kind: ModelKind | undefined): string {
  if (kind === "speakerEmbedding") return "3dspeaker";
  return (kind ?? "").replace(/[A-Z]/g, (capital) => `-${capital}`);
}

type Has = (pattern: RegExp) => boolean;

/** Models that don't turn speech into text. */
function withoutTokens(has: Has, names: string): Omit<Recognized, "languages"> | undefined {
  if (!has(/\.onnx$/)) return undefined;
  if (has(/^espeak-ng-data$|^voices\.bin$|^lexicon.*\.txt$/) || /(^|[\s_-])(tts|vits|piper|kokoro|kitten|matcha)/.test(names)) {
    return { purpose: "speaking", kind: "tts" };
  }
  if (/segmentation/.test(names)) return { purpose: "speakers", kind: "speakerSegmentation" };
  if (/3d-?speaker|wespeaker|campplus|eres2net|titanet|speakerverification/.test(names)) {
    return { purpose: "speakers", kind: "speakerEmbedding" };
  }
  return /punct/.test(names) ? { purpose: "punctuation", kind: "punctuation" } : undefined;
}

function encoderKind(has: Has, names: string): ModelKind | undefined {
  if (has(/encoder_model\.ort$/) && has(/decoder_model_merged\.ort$/)) return "moonshine";
  const isMoonshine =
    has(/preprocess.*\.onnx$/) &&
    has(/^encode\b.*\.onnx$/) &&
    has(/uncached_decode.*\.onnx$/) &&
    has(/(?<!un)cached_decode.*\.onnx$/);
  if (isMoonshine) return "moonshine";
  if (!has(/encoder.*\.onnx$/) || !has(/decoder.*\.onnx$/)) return undefined;
  if (has(/joiner.*\.onnx$/)) {
    if (/streaming|chunk-\d+/.test(names)) return "streamingTransducer";
    return /nemo|parakeet/.test(names) ? "nemoTransducer" : "transducer";
  }
  if (names.includes("paraformer")) return "streamingParaformer";
  if (names.includes("canary")) return "canary";
  return /fire-?red/.test(names) ? undefined : "whisper";
}

function singleKind(has: Has, names: string): ModelKind | undefined {
  if (!has(/^model.*\.onnx$/)) return undefined;
  if (/sense-?voice/.test(names)) return "senseVoice";
  if (names.includes("paraformer")) return "paraformer";
  return /nemo|parakeet|ctc/.test(names) ? "nemoCtc" : undefined;
}

/**
 * Multilingual kinds have all their languages; the others have theirs in the folder's name ("...-zipformer-fr-2023"),
 * else English.
 */
function languagesOf(kind: ModelKind, names: string, folder: string): readonly string[] {
  if (kind === "whisper") return /\.en\b|distil/.test(names) ? ["en"] : whisperLanguages;
  if (kind === "senseVoice") return ["en", "ja", "ko", "yue", "zh"];
  if (/parakeet.*v3/.test(names)) return parakeetLanguages;
  const found = named(folder);
  return found.length > 0 ? found : ["en"];
}

/** The languages that stand in a folder's name, sorted. */
function named(folder: string): string[] {
  const parts = folder.toLowerCase().split(/[-_.]/);
  return whisperLanguages.filter((language) => parts.includes(language));
}
