// The part of sherpa-onnx-node that is used here; the package has no type declarations.
declare module "sherpa-onnx-node" {
  interface Waveform {
    samples: Float32Array;
    sampleRate: number;
  }
  interface OfflineStream {
    acceptWaveform(waveform: Waveform): void;
  }
  export interface OnlineStream extends OfflineStream {
    inputFinished(): void;
  }
  interface OfflineRecognizer {
    createStream(hotwords?: string): OfflineStream;
    decode(stream: OfflineStream): void;
    getResult(stream: OfflineStream): { text: string };
    setConfig(config: object): void;
  }
  export interface OnlineRecognizer {
    createStream(): OnlineStream;
    isReady(stream: OnlineStream): boolean;
    decode(stream: OnlineStream): void;
    getResult(stream: OnlineStream): { text: string };
  }
  interface Vad {
    acceptWaveform(samples: Float32Array): void;
    isDetected(): boolean;
    isEmpty(): boolean;
    pop(): void;
    reset(): void;
  }
  interface SpeakerEmbeddingExtractor {
    dim: number;
    createStream(): OnlineStream;
    isReady(stream: OnlineStream): boolean;
    compute(stream: OnlineStream, externalBuffer: boolean): Float32Array;
  }
  interface OfflineTts {
    /** Samples from -1 to 1. */
    generate(request: { text: string; sid: number; speed: number; enableExternalBuffer: boolean }): Waveform;
  }
  export interface Turn {
    start: number;
    end: number;
    speaker: number;
  }
  interface OfflineSpeakerDiarization {
    sampleRate: number;
    process(samples: Float32Array): Turn[];
  }
  const sherpa: {
    OfflineRecognizer: new (config: object) => OfflineRecognizer;
    OnlineRecognizer: new (config: object) => OnlineRecognizer;
    OfflineSpeakerDiarization: new (config: object) => OfflineSpeakerDiarization;
    OfflineTts: new (config: object) => OfflineTts;
    OnlinePunctuation: new (config: object) => { addPunct(text: string): string };
    SpeakerEmbeddingExtractor: new (config: object) => SpeakerEmbeddingExtractor;
    Vad: new (config: object, bufferSeconds: number) => Vad;
  };
  export default sherpa;
}
