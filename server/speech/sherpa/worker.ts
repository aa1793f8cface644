// A separate process that holds sherpa-onnx. It is not a worker thread: onnxruntime calls abort() for a file that is
// not a model, and that ends the whole process. Arguments: the model as JSON (SherpaModel), how many threads it may
// use, and "vocabulary" when expected words are to be used.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sherpa, { type OnlineRecognizer, type OnlineStream } from "sherpa-onnx-node";
import { floatsOf } from "#speech/bytes.ts";
import { serve } from "../process/serve.ts";
import { followsLanguage, type ModelSettings, recognizerConfig } from "./config.ts";
import { hotwordsOf, vocabFromModel } from "./hotwords.ts";
import { isStreamingKind, type SherpaModel } from "./model.ts";

const model: SherpaModel = JSON.parse(process.argv[2] ?? "{}");
const threads = Number(process.argv[3] ?? 1);
const heedsVocabulary = process.argv[4] === "vocabulary";
const sampleRate = 16_000;
/**
 * Streaming models look ahead: without trailing silence, the last word is missing (samples). A Paraformer takes pieces
 * of 0.6 s, and looks 0.2 s ahead.
 */
const tail = new Float32Array((model.kind === "streamingParaformer" ? 0.9 : 0.7) * sampleRate);

function waveform(pcm: Uint8Array) {
  return { samples: floatsOf(pcm), sampleRate };
}

/** Paths that a recognizer needs for expected words. */
type HotwordFiles = Pick<ModelSettings, "bpeVocab" | "hotwordsFile">;

/**
 * Loads a recognizer. Temporary files are only needed while it loads. @param hotwords for recognizers whose streams
 * take none
 */
function load<Recognizer>(open: (files: HotwordFiles) => Recognizer, hotwords?: string): Recognizer {
  if (!heedsVocabulary) return open({});
  const folder = mkdtempSync(join(tmpdir(), "parlance-hotwords-"));
  const written = (name: string, content: string) => {
    writeFileSync(join(folder, name), content, { mode: 0o600 });
    return join(folder, name);
  };
  try {
    const { bpeModel } = model;
    const bpeVocab = model.bpeVocab ?? (bpeModel && written("bpe.vocab", vocabFromModel(bpeModel)));
    if (bpeVocab === undefined) throw new Error("The model has neither bpe.vocab nor bpe.model.");
    const hotwordsFile = hotwords === undefined ? undefined : written("hotwords.txt", `${hotwords.replaceAll("/", "\n")}\n`);
    return open({ bpeVocab, hotwordsFile });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const tokens = heedsVocabulary ? readFileSync(model.tokens, "utf8") : "";
/** The last vocabulary, as given and in the model's format: all pieces of a recording have the same. */
let wished = { vocabulary: "", hotwords: undefined as string | undefined };

function hotwordsFor(vocabulary = ""): string | undefined {
  if (heedsVocabulary && vocabulary !== wished.vocabulary) wished = { vocabulary, hotwords: hotwordsOf(vocabulary, tokens) };
  return heedsVocabulary ? wished.hotwords : undefined;
}

function serveOffline(): void {
  let configured = { language: "en", target: undefined as string | undefined };
  const recognizer = load((files) => new sherpa.OfflineRecognizer(recognizerConfig(model, { threads, ...configured, ...files })));
  serve({
    transcribe: (pcm, language, { vocabulary, target }) => {
      if (followsLanguage(model) && (language !== configured.language || target !== configured.target)) {
        configured = { language, target };
        recognizer.setConfig(recognizerConfig(model, { threads, ...configured }));
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
  const open = (hotwords?: string) =>
    load((files) => new sherpa.OnlineRecognizer(recognizerConfig(model, { threads, language: "en", ...files })), hotwords);
  let current = { hotwords: undefined as string | undefined, recognizer: open() };
  // Each vocabulary has its own process, so this happens once.
  const recognizerFor = (vocabulary: string | undefined) => {
    const hotwords = hotwordsFor(vocabulary);
    if (hotwords !== current.hotwords) current = { hotwords, recognizer: open(hotwords) };
    return current.recognizer;
  };
  const streams = new Map<number, { recognizer: OnlineRecognizer; stream: OnlineStream }>();
  const decode = ({ recognizer, stream }: { recognizer: OnlineRecognizer; stream: OnlineStream }) => {
    while (recognizer.isReady(stream)) recognizer.decode(stream);
    return recognizer.getResult(stream);
  };
  serve({
    transcribe: (pcm, _, { vocabulary }) => {
      const recognizer = recognizerFor(vocabulary);
      const stream = recognizer.createStream();
      stream.acceptWaveform(waveform(pcm));
      stream.acceptWaveform({ samples: tail, sampleRate });
      stream.inputFinished();
      return decode({ recognizer, stream });
    },
    begin: (id, _, { vocabulary }) => {
      const recognizer = recognizerFor(vocabulary);
      streams.set(id, { recognizer, stream: recognizer.createStream() });
    },
    feed: (id, pcm) => {
      const own = streams.get(id);
      if (own === undefined) throw new Error("This stream has not started.");
      own.stream.acceptWaveform(waveform(pcm));
      return decode(own).text;
    },
    discard: (id) => {
      streams.delete(id);
    },
  });
}

if (isStreamingKind(model.kind)) serveOnline();
else serveOffline();
