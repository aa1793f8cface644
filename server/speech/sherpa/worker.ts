// A process of its own that holds sherpa-onnx. Not a worker thread: onnxruntime calls abort() for a file that is no model, and that
// ends the whole process, whatever thread it was in. Argument: the model as JSON (SherpaModel), and how many threads it may use.
import { createRequire } from "node:module";
import { serve } from "../process/serve.ts";
import { samplesOf } from "../vad.ts";
import type { SherpaModel } from "./model.ts";

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
  createStream(): NativeStream;
  decode(stream: NativeStream): void;
  getResult(stream: NativeStream): { text: string };
  setConfig(config: object): void;
}
interface OnlineRecognizer {
  createStream(): NativeOnlineStream;
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
const numThreads = Number(process.argv[3] ?? 1);
const sampleRate = 16_000;
/** Streaming models look ahead: without trailing silence, the last word is missing (samples). */
const tail = new Float32Array(0.7 * sampleRate);

function waveform(pcm: Buffer): Waveform {
  return { samples: Float32Array.from(samplesOf(pcm), (sample) => sample / 32_768), sampleRate };
}

function configFor(own: object): object {
  return {
    featConfig: { sampleRate, featureDim: 80 },
    modelConfig: { ...own, tokens: model.tokens, numThreads, provider: "cpu", debug: 0 },
    decodingMethod: "greedy_search",
  };
}

function offlineModel(language: string): object {
  switch (model.kind) {
    case "whisper": {
      const { encoder, decoder } = model;
      return {
        whisper: {
          encoder,
          decoder,
          language: language === "auto" ? "" : language.slice(0, 2),
          task: "transcribe",
          tailPaddings: -1,
        },
      };
    }
    case "moonshine": {
      const { preprocessor, encoder, uncachedDecoder, cachedDecoder } = model;
      return { moonshine: { preprocessor, encoder, uncachedDecoder, cachedDecoder } };
    }
    case "transducer":
    case "nemoTransducer": {
      const { encoder, decoder, joiner } = model;
      const modelType = model.kind === "nemoTransducer" ? "nemo_transducer" : "transducer";
      return { transducer: { encoder, decoder, joiner }, modelType };
    }
    case "nemoCtc":
      return { nemoCtc: { model: model.model } };
    case "senseVoice":
      return {
        senseVoice: { model: model.model, language: "auto", useInverseTextNormalization: 1 },
      };
    case "paraformer":
      return { paraformer: { model: model.model } };
    default:
      throw new Error(`${model.kind} is a streaming model.`);
  }
}

function serveOffline(): void {
  let language = "en";
  const recognizer = new sherpa.OfflineRecognizer(configFor(offlineModel(language)));
  serve({
    transcribe: (pcm, wanted) => {
      // Only Whisper's recogniser takes another language while it runs; setConfig breaks the others (they then hear nothing).
      if (model.kind === "whisper" && wanted !== language) {
        language = wanted;
        recognizer.setConfig(configFor(offlineModel(language)));
      }
      const stream = recognizer.createStream();
      stream.acceptWaveform(waveform(pcm));
      recognizer.decode(stream);
      return recognizer.getResult(stream);
    },
    begin: () => undefined,
    feed: () => "",
    discard: () => undefined,
  });
}

function serveOnline(own: object): void {
  const recognizer = new sherpa.OnlineRecognizer(configFor(own));
  const streams = new Map<number, NativeOnlineStream>();
  const listen = (stream: NativeOnlineStream, sound: Waveform) => {
    stream.acceptWaveform(sound);
    while (recognizer.isReady(stream)) recognizer.decode(stream);
  };
  serve({
    transcribe: (pcm) => {
      const stream = recognizer.createStream();
      stream.acceptWaveform(waveform(pcm));
      stream.acceptWaveform({ samples: tail, sampleRate });
      stream.inputFinished();
      while (recognizer.isReady(stream)) recognizer.decode(stream);
      return recognizer.getResult(stream);
    },
    begin: (id) => {
      streams.set(id, recognizer.createStream());
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

if (model.kind === "streamingTransducer") {
  const { encoder, decoder, joiner } = model;
  serveOnline({ transducer: { encoder, decoder, joiner } });
} else if (model.kind === "streamingParaformer") {
  const { encoder, decoder } = model;
  serveOnline({ paraformer: { encoder, decoder } });
} else {
  serveOffline();
}
