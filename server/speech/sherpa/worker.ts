// A process of its own that holds sherpa-onnx. Not a worker thread: onnxruntime calls abort() for a file that is no model, and that
// ends the whole process, whatever thread it was in. Arguments: the model as JSON (SherpaModel), how many threads it may use, and
// "vocabulary" when expected words are to be heeded.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "../process/serve.ts";
import { samplesOf } from "../vad.ts";
import { followsLanguage, recognizerConfig } from "./config.ts";
import { hotwordsOf, vocabFromModel } from "./hotwords.ts";
import { isStreamingKind, type SherpaModel } from "./model.ts";

interface Waveform {
  samples: Float32Array;
  sampleRate: number;
}
interface NativeStream {
  acceptWaveform(waveform: Waveform): void;
}
interface NativeOnlineStream extends NativeStream {
  inputFinished(): void;
}
interface OfflineRecognizer {
  createStream(hotwords?: string): NativeStream;
  decode(stream: NativeStream): void;
  getResult(stream: NativeStream): { text: string };
  setConfig(config: object): void;
}
interface OnlineRecognizer {
  createStream(hotwords?: string): NativeOnlineStream;
  isReady(stream: NativeOnlineStream): boolean;
  decode(stream: NativeOnlineStream): void;
  getResult(stream: NativeOnlineStream): { text: string };
}
/** The part of sherpa-onnx-node that is used here; the package has no type declarations. */
interface Sherpa {
  OfflineRecognizer: new (config: object) => OfflineRecognizer;
  OnlineRecognizer: new (config: object) => OnlineRecognizer;
}

const sherpa: Sherpa = createRequire(import.meta.url)("sherpa-onnx-node");
const model: SherpaModel = JSON.parse(process.argv[2] ?? "{}");
const threads = Number(process.argv[3] ?? 1);
const heedsVocabulary = process.argv[4] === "vocabulary";
const sampleRate = 16_000;
/** Streaming models look ahead: without trailing silence, the last word is missing (samples). */
const tail = new Float32Array(0.7 * sampleRate);

function waveform(pcm: Buffer): Waveform {
  return { samples: Float32Array.from(samplesOf(pcm), (sample) => sample / 32_768), sampleRate };
}

/** Loads a recogniser; a bpe.vocab that has to be made from a bpe.model is only read while it loads. */
function load<Recognizer>(open: (bpeVocab: string | undefined) => Recognizer): Recognizer {
  if (!heedsVocabulary) return open(undefined);
  if (model.bpeVocab !== undefined) return open(model.bpeVocab);
  if (model.bpeModel === undefined) throw new Error("The model has neither bpe.vocab nor bpe.model.");
  const folder = mkdtempSync(join(tmpdir(), "parlance-bpe-"));
  try {
    const path = join(folder, "bpe.vocab");
    writeFileSync(path, vocabFromModel(model.bpeModel));
    return open(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const tokens = heedsVocabulary ? readFileSync(model.tokens, "utf8") : "";
/** The last vocabulary, as it was wished and as the model takes it: that of all pieces of a recording. */
let wished = { vocabulary: "", hotwords: undefined as string | undefined };

function hotwordsFor(vocabulary = ""): string | undefined {
  if (heedsVocabulary && vocabulary !== wished.vocabulary) wished = { vocabulary, hotwords: hotwordsOf(vocabulary, tokens) };
  return heedsVocabulary ? wished.hotwords : undefined;
}

function serveOffline(): void {
  let told = { language: "en", target: undefined as string | undefined };
  const recognizer = load((bpeVocab) => new sherpa.OfflineRecognizer(recognizerConfig(model, { threads, ...told, bpeVocab })));
  serve({
    transcribe: (pcm, language, { vocabulary, target }) => {
      if (followsLanguage(model) && (language !== told.language || target !== told.target)) {
        told = { language, target };
        recognizer.setConfig(recognizerConfig(model, { threads, ...told }));
      }
      const stream = recognizer.createStream(hotwordsFor(vocabulary));
      stream.acceptWaveform(waveform(pcm));
      recognizer.decode(stream);
      return recognizer.getResult(stream);
    },
    begin: () => undefined,
    feed: () => "",
    discard: () => undefined,
  });
}

function serveOnline(): void {
  const settings = { threads, language: "en" };
  const recognizer = load((bpeVocab) => new sherpa.OnlineRecognizer(recognizerConfig(model, { ...settings, bpeVocab })));
  const streams = new Map<number, NativeOnlineStream>();
  const listen = (stream: NativeOnlineStream, sound: Waveform) => {
    stream.acceptWaveform(sound);
    while (recognizer.isReady(stream)) recognizer.decode(stream);
  };
  serve({
    transcribe: (pcm, _, { vocabulary }) => {
      const stream = recognizer.createStream(hotwordsFor(vocabulary));
      stream.acceptWaveform(waveform(pcm));
      stream.acceptWaveform({ samples: tail, sampleRate });
      stream.inputFinished();
      while (recognizer.isReady(stream)) recognizer.decode(stream);
      return recognizer.getResult(stream);
    },
    begin: (id, _, { vocabulary }) => {
      streams.set(id, recognizer.createStream(hotwordsFor(vocabulary)));
    },
    feed: (id, pcm) => {
      const stream = streams.get(id);
      if (stream === undefined) throw new Error("This stream has not begun.");
      listen(stream, waveform(pcm));
      return recognizer.getResult(stream).text;
    },
    discard: (id) => {
      streams.delete(id);
    },
  });
}

if (isStreamingKind(model.kind)) serveOnline();
else serveOffline();
