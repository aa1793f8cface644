import type { SherpaModel } from "./model.ts";

/** How a model is loaded, and its settings. */
export interface ModelSettings {
  threads: number;
  /** A speech language of the contract; "auto": detected. */
  language: string;
  /** The language to translate into, as a two-letter code; undefined: no translation. */
  target?: string | undefined;
  /** The file of SentencePiece's pieces for hotwords; undefined: decode without hotwords, which is faster. */
  bpeVocab?: string | undefined;
  /** File of expected words, one per line, for recognizers whose streams take none. */
  hotwordsFile?: string | undefined;
}

/**
 * Whether a model's language can be changed while it runs. `setConfig` breaks the other kinds: they then recognize
 * nothing.
 */
export function followsLanguage({ kind }: SherpaModel): boolean {
  return kind === "whisper" || kind === "canary";
}

/** The configuration of sherpa-onnx's OfflineRecognizer or OnlineRecognizer. */
export function recognizerConfig(model: SherpaModel, settings: ModelSettings): object {
  const { threads, bpeVocab, hotwordsFile } = settings;
  return {
    featConfig: { sampleRate: 16_000, featureDim: 80 },
    modelConfig: {
      ...modelConfig(model, settings),
      tokens: model.tokens,
      numThreads: threads,
      provider: "cpu",
      debug: 0,
      ...(bpeVocab !== undefined && { modelingUnit: "bpe", bpeVocab }),
    },
    decodingMethod: bpeVocab === undefined ? "greedy_search" : "modified_beam_search",
    ...(bpeVocab !== undefined && { maxActivePaths: 4, hotwordsScore }),
    ...(hotwordsFile !== undefined && { hotwordsFile }),
  };
}

/** Boost for each piece of an expected word: sherpa-onnx's default. */
const hotwordsScore = 1.5;

function modelConfig(model: SherpaModel, { language, target }: ModelSettings): object {
  const iso = language === "auto" ? "" : language.slice(0, 2);
  switch (model.kind) {
    case "whisper": {
      const { encoder, decoder } = model;
      const task = target === undefined ? "transcribe" : "translate";
      return { whisper: { encoder, decoder, language: iso, task, tailPaddings: -1, enableSegmentTimestamps: 1 } };
    }
    case "canary": {
      const { encoder, decoder } = model;
      return { canary: { encoder, decoder, srcLang: iso, tgtLang: target ?? iso, usePnc: 1 } };
    }
    case "moonshine": {
      if ("mergedDecoder" in model) return { moonshine: { encoder: model.encoder, mergedDecoder: model.mergedDecoder } };
      const { preprocessor, encoder, uncachedDecoder, cachedDecoder } = model;
      return { moonshine: { preprocessor, encoder, uncachedDecoder, cachedDecoder } };
    }
    case "transducer":
    case "nemoTransducer": {
      const { encoder, decoder, joiner } = model;
      const modelType = model.kind === "nemoTransducer" ? "nemo_transducer" : "transducer";
      return { transducer: { encoder, decoder, joiner }, modelType };
    }
    case "streamingTransducer": {
      const { encoder, decoder, joiner } = model;
      return { transducer: { encoder, decoder, joiner } };
    }
    case "nemoCtc":
      return { nemoCtc: { model: model.model } };
    case "senseVoice":
      return { senseVoice: { model: model.model, language: "auto", useInverseTextNormalization: 1 } };
    case "paraformer":
      return { paraformer: { model: model.model } };
    case "streamingParaformer": {
      const { encoder, decoder } = model;
      return { paraformer: { encoder, decoder } };
    }
  }
}
