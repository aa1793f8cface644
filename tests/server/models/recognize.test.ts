import { expect, test } from "vitest";
import { parakeetLanguages, whisperLanguages } from "#server/models/languages.ts";
import { recognize } from "#server/models/recognize.ts";

const encoders = ["encoder.int8.onnx", "decoder.int8.onnx", "tokens.txt"];

test.each([
  ["sherpa-onnx-whisper-tiny", ["tiny-encoder.onnx", "tiny-decoder.onnx", "tiny-tokens.txt"], "whisper", whisperLanguages],
  ["sherpa-onnx-whisper-tiny.en", ["tiny.en-encoder.onnx", "tiny.en-decoder.onnx", "tiny.en-tokens.txt"], "whisper", ["en"]],
  [
    "sherpa-onnx-moonshine-tiny-en-int8",
    ["preprocess.onnx", "encode.int8.onnx", "uncached_decode.int8.onnx", "cached_decode.int8.onnx", "tokens.txt"],
    "moonshine",
    ["en"],
  ],
  [
    "sherpa-onnx-moonshine-base-en-quantized-2026-02-27",
    ["encoder_model.ort", "decoder_model_merged.ort", "tokens.txt"],
    "moonshine",
    ["en"],
  ],
  [
    "sherpa-onnx-moonshine-base-es-quantized-2026-02-27",
    ["encoder_model.ort", "decoder_model_merged.ort", "tokens.txt"],
    "moonshine",
    ["es"],
  ],
  ["sherpa-onnx-nemo-parakeet_tdt_ctc_110m-en-36000-int8", ["model.int8.onnx", "tokens.txt"], "nemoCtc", ["en"]],
  [
    "sherpa-onnx-nemotron-speech-streaming-en-0.6b-560ms-int8-2026-04-25",
    [...encoders, "joiner.int8.onnx"],
    "streamingTransducer",
    ["en"],
  ],
  [
    "sherpa-onnx-streaming-zipformer-de-kroko-2025-08-06",
    ["encoder.onnx", "decoder.onnx", "joiner.onnx", "tokens.txt"],
    "streamingTransducer",
    ["de"],
  ],
  ["sherpa-onnx-streaming-zipformer-fr-2023-04-14", [...encoders, "joiner.onnx"], "streamingTransducer", ["fr"]],
  ["sherpa-onnx-zipformer-en-2023-06-26", [...encoders, "joiner.onnx"], "transducer", ["en"]],
  ["sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8", [...encoders, "joiner.onnx"], "nemoTransducer", parakeetLanguages],
  ["sherpa-onnx-nemo-canary-180m-flash-en-es-de-fr-int8", encoders, "canary", ["de", "en", "es", "fr"]],
  ["sherpa-onnx-nemo-stt_de_fastconformer_hybrid_large_pc-int8", ["model.int8.onnx", "tokens.txt"], "nemoCtc", ["de"]],
  ["sherpa-onnx-streaming-paraformer-bilingual-zh-en", encoders, "streamingParaformer", ["en", "zh"]],
  ["sherpa-onnx-paraformer-en", ["model.int8.onnx", "tokens.txt"], "paraformer", ["en"]],
  ["sherpa-onnx-sense-voice-2024", ["model.int8.onnx", "tokens.txt"], "senseVoice", ["en", "ja", "ko", "yue", "zh"]],
  ["sherpa-onnx-pyannote-segmentation-3-0", ["model.onnx"], "speakerSegmentation", []],
  ["3dspeaker_speech_campplus_sv_en_voxceleb_16k", ["x.onnx"], "speakerEmbedding", []],
  ["sherpa-onnx-online-punct-en-2024-08-06", ["model.int8.onnx", "bpe.vocab"], "punctuation", []],
  ["vits-piper-en_US-lessac-medium", ["en_US-lessac-medium.onnx", "tokens.txt", "espeak-ng-data"], "tts", ["en"]],
  ["bergamot-de-en", ["model.deen.intgemm.alphas.bin", "lex.bin", "vocab.deen.spm"], "bergamot", []],
])("recognizes the model %s by its files", (folder, files, kind, languages) => {
  expect(recognize(folder, files)).toMatchObject({ kind, languages });
});

test.each([
  ["empty", [], /empty/],
  ["without-tokens", ["tiny-encoder.onnx", "tiny-decoder.onnx"], /tokens\.txt/],
  ["unknown", ["model.onnx", "tokens.txt"], /an unknown kind/],
  ["half", ["tiny-encoder.onnx", "tiny-tokens.txt"], /an unknown kind/],
])("explains why a folder is no model: %s", (folder, files, reason) => {
  expect(recognize(folder, files)).toMatch(reason);
});
