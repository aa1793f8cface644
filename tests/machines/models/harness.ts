import type { AdminModel, Installation, ModelsAnswer } from "#contract/index.ts";

/** An installation in the middle of its download. */
export const installation = (parts: Partial<Installation> = {}): Installation => ({
  state: "downloading",
  bytesDone: 40,
  bytesTotal: 100,
  bytesPerSecond: 10,
  secondsLeft: 6,
  host: "mirror.example",
  failure: null,
  detail: null,
  ...parts,
});

/** A model of the catalogue that hears English. */
export const model = (parts: Partial<AdminModel> = {}): AdminModel => ({
  id: "whisper-small",
  name: "Whisper small",
  purpose: "hearing",
  kind: "whisper",
  languages: ["de", "en"],
  detects: true,
  pair: null,
  translatesSpeech: [],
  isStreaming: false,
  takesVocabulary: false,
  downloadBytes: 100,
  diskBytes: 200,
  memoryBytes: 300,
  licence: "MIT",
  caveat: null,
  wordErrors: null,
  comet: null,
  publishedSpeed: null,
  measuredSpeed: null,
  keepsUp: null,
  addresses: [],
  check: "pinned",
  lacks: [],
  recommendedFor: [],
  installed: null,
  installation: null,
  ...parts,
});

export const installed: AdminModel["installed"] = { at: null, source: "catalogue", isInUse: false, fault: null };

/** A translation model. */
export const pair = (source: string, target: string, parts: Partial<AdminModel> = {}): AdminModel =>
  model({
    id: `bergamot-${source}-${target}`,
    purpose: "translation",
    kind: "bergamot",
    languages: [source, target].sort(),
    pair: { source, target },
    ...parts,
  });

export const answerWith = (...models: AdminModel[]): ModelsAnswer => ({
  machine: { cores: 4, memoryBytes: 8e9, freeMemoryBytes: 4e9, freeDiskBytes: 50e9 },
  mirror: null,
  models,
  choices: { live: {}, files: {}, translation: {}, voices: {} },
  speech: [],
});
