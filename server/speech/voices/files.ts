import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";

/** sherpa-onnx's parameters of a voice, and the speaker's number in a model with several. */
export interface VoiceFiles {
  /** Passed on unchanged; paths are absolute. */
  config: object;
  speaker: number;
}

/** Folder of eSpeak's data in the model's folder; piper and kokoro need it to turn words into sounds. */
const dataFolder = "espeak-ng-data";

/**
 * Kokoro 1.0: the first speaker of each language (in the order of its voices), and eSpeak's name for a language that is
 * not in the model's own dictionaries, English and Chinese.
 */
const kokoro: Record<string, { speaker: number; espeak?: string }> = {
  en: { speaker: 3 },
  es: { speaker: 28, espeak: "es" },
  fr: { speaker: 30, espeak: "fr-fr" },
  hi: { speaker: 31, espeak: "hi" },
  it: { speaker: 35, espeak: "it" },
  ja: { speaker: 37, espeak: "ja" },
  pt: { speaker: 42, espeak: "pt-br" },
  zh: { speaker: 45 },
};

/**
 * Detects a voice by the files in its folder, as sherpa-onnx's archives name them: piper and other VITS models, Kokoro,
 * Kitten.
 * @param language its two-letter code
 * @param threads most processor cores to use
 * @returns a reason when the folder holds no known kind of voice
 */
export async function findVoice(folder: string, language: string, threads: number): Promise<VoiceFiles | string> {
  const names = (await readdir(folder).catch(() => [])).sort();
  const find = (pattern: RegExp) => names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
  const models = find(/\.onnx$/);
  const model = models.find((path) => !path.includes("int8")) ?? models[0];
  const [tokens] = find(/^tokens\.txt$/);
  if (model === undefined) return "it has no .onnx file";
  if (tokens === undefined) return "it has no tokens.txt";
  const [dataDir = ""] = find(new RegExp(`^${dataFolder}$`));
  const [voices] = find(/^voices\.bin$/);
  const lexicon = find(/^lexicon.*\.txt$/);
  if (voices !== undefined) {
    if (dataDir === "") return `it has no ${dataFolder}`;
    if (/kitten/i.test(basename(folder)))
      return { config: configOf({ kitten: { model, voices, tokens, dataDir } }, threads), speaker: 0 };
    const { speaker, espeak } = lexicon.length === 0 ? { speaker: 0, espeak: undefined } : (kokoro[language] ?? { speaker: 0 });
    // American English.
    const own = lexicon.filter((path) => !/gb/.test(basename(path))).join(",");
    const spoken = espeak === undefined ? { lexicon: own } : { lexicon: own, lang: espeak };
    return { config: configOf({ kokoro: { model, voices, tokens, dataDir, ...spoken } }, threads), speaker };
  }
  const rules = { ruleFsts: find(/\.fst$/).join(","), ruleFars: find(/\.far$/).join(",") };
  return { config: configOf({ vits: { model, tokens, dataDir, lexicon: lexicon.join(",") } }, threads, rules), speaker: 0 };
}

function configOf(model: object, numThreads: number, rules: object = {}): object {
  return { model: { ...model, numThreads, provider: "cpu", debug: false }, maxNumSentences: 1, ...rules };
}
