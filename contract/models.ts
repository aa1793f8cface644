import * as v from "valibot";

const modelPurposes = ["hearing", "speakers", "punctuation", "speaking", "translation"] as const;
export const ModelPurpose = v.picklist(modelPurposes);
export type ModelPurpose = v.InferOutput<typeof ModelPurpose>;

/** How a model is loaded: each kind has files and parameters of its own. */
const modelKinds = [
  "whisper",
  "moonshine",
  "transducer",
  "streamingTransducer",
  "nemoTransducer",
  "nemoCtc",
  "canary",
  "senseVoice",
  "paraformer",
  "streamingParaformer",
  "speakerSegmentation",
  "speakerEmbedding",
  "punctuation",
  "tts",
  "bergamot",
] as const;
export const ModelKind = v.picklist(modelKinds);
export type ModelKind = v.InferOutput<typeof ModelKind>;

/**
 * How what was downloaded is compared with what its makers published. `pinned`: its SHA-256 is in this product's catalogue. `release`: the
 * release's own list of SHA-256, fetched over HTTPS, which its makers can change. `size`: the number of bytes alone. `none`: unpacked by hand,
 * or imported from a file that the catalogue does not know.
 */
const modelChecks = ["pinned", "release", "size", "none"] as const;
export const ModelCheck = v.picklist(modelChecks);
export type ModelCheck = v.InferOutput<typeof ModelCheck>;

/** The states of machines/models/installation.ts that its list shows; `idle` is the absence of an installation. */
export const installationStates = [
  "waiting",
  "downloading",
  "paused",
  "verifying",
  "unpacking",
  "trying",
  "installed",
  "failed",
  "cancelled",
] as const;
export const InstallationState = v.picklist(installationStates);
export type InstallationState = v.InferOutput<typeof InstallationState>;

/** Why an installation failed: stable names with a text in the locale files (`models.failure.<name>`). */
export const installationFailures = [
  /** No mirror answered, or the connection broke again and again. */
  "unreachable",
  /** No mirror has it: the address in the catalogue is gone. */
  "gone",
  /** What came has another size or another SHA-256 than it should. */
  "mismatch",
  /** The disk has too little space, told before it is full. */
  "diskFull",
  "damaged",
  /** The archive names files outside of its folder, holds links, or unpacks to far more than it says. */
  "hostile",
  /** The files are of another kind than the catalogue says, or of none that is known. */
  "wrongKind",
  /** It could not be loaded, or did not answer, when it was tried. */
  "unusable",
  /** It needs more memory than this machine has. */
  "memory",
  "unknown",
] as const;
export const InstallationFailure = v.picklist(installationFailures);
export type InstallationFailure = v.InferOutput<typeof InstallationFailure>;

export const Installation = v.object({
  state: InstallationState,
  /** Bytes of the current step (downloading: received; unpacking: read), and of how many; null when that is not known. */
  bytesDone: v.number(),
  bytesTotal: v.nullable(v.number()),
  /** Bytes a second over the last seconds, and seconds that are left at that speed; null when not downloading, or not known yet. */
  bytesPerSecond: v.nullable(v.number()),
  secondsLeft: v.nullable(v.number()),
  /** The last attempt of a download failed, and the next one comes by itself; absent: no. */
  isRetrying: v.optional(v.boolean()),
  /** The host that it comes from, for people; null before the first answer and for imported files. */
  host: v.nullable(v.string()),
  /** In `failed`. */
  failure: v.nullable(InstallationFailure),
  /** In English, for the operator; may name paths and addresses. */
  detail: v.nullable(v.string()),
});
export type Installation = v.InferOutput<typeof Installation>;

/** The measured speed of a model on this machine: seconds of work per second of audio (translation: milliseconds per word). */
export const MeasuredSpeed = v.object({ factor: v.number(), threads: v.number(), at: v.string() });
export type MeasuredSpeed = v.InferOutput<typeof MeasuredSpeed>;

/** A model: of the catalogue, installed, or both. */
export const AdminModel = v.object({
  /** The name of its folder, too. */
  id: v.string(),
  /** For people ("Whisper small", "Parakeet TDT 0.6B v3"); absent for a model without one: its languages or its id stand in its place. */
  name: v.optional(v.string()),
  purpose: ModelPurpose,
  /** Null: a folder in which no model is recognised. */
  kind: v.nullable(ModelKind),
  /** Language codes ("de", "pt"), sorted; empty for a model without a language. */
  languages: v.array(v.string()),
  /** `languages` is not a list of all: it recognizes about this many. Absent: the list is complete. */
  languageCount: v.optional(v.number()),
  /** It finds out by itself which of its languages is spoken. */
  detects: v.boolean(),
  /** Of a translation model. */
  pair: v.nullable(v.object({ source: v.string(), target: v.string() })),
  /** The spoken language pairs that it translates by itself, besides speech recognition. */
  translatesSpeech: v.array(v.object({ source: v.string(), target: v.string() })),
  /** Words come while somebody speaks. */
  isStreaming: v.boolean(),
  /** It heeds names and terms to expect. */
  takesVocabulary: v.boolean(),
  /** What is downloaded; null when unknown (an installed model outside of the catalogue). */
  downloadBytes: v.nullable(v.number()),
  /** What it takes on the disk and, roughly, in memory; estimated until it is installed. */
  diskBytes: v.number(),
  memoryBytes: v.number(),
  /** Where the one file that it is published as can be had, for machines that import it; empty: several files, or outside of the catalogue. */
  addresses: v.array(v.string()),
  licence: v.string(),
  /** What somebody should know of the licence before the download: a stable name with a text (`models.caveat.<name>`). */
  caveat: v.nullable(v.picklist(["ownLicence", "shareAlike", "checkLicence", "attribution", "nonCommercial"])),
  /** The published word error rate in percent, and of what. */
  wordErrors: v.nullable(v.object({ percent: v.number(), on: v.string() })),
  /** Published COMET-22 (x100), with Google's of the same test. */
  comet: v.nullable(v.object({ score: v.number(), google: v.nullable(v.number()) })),
  /** The published speed, as it was published ("0.118 (2 threads)"). */
  publishedSpeed: v.nullable(v.string()),
  measuredSpeed: v.nullable(MeasuredSpeed),
  /** Of a model that hears or speaks: whether it was measured here to be fast enough for live speech; null when it was not measured. */
  keepsUp: v.nullable(v.boolean()),
  /** The check that a download will have to pass, or that the installed model has passed. */
  check: ModelCheck,
  /** What this machine has too little of; empty: it fits. */
  lacks: v.array(v.picklist(["memory", "disk"])),
  /** The one to take for these languages on this machine; empty for all others. */
  recommendedFor: v.array(v.string()),
  installed: v.nullable(
    v.object({
      /** When, ISO 8601; null for one that was unpacked by hand. */
      at: v.nullable(v.string()),
      source: v.picklist(["builtIn", "catalogue", "file", "byHand"]),
      /** Whether it is held for work: such a model can't be removed. */
      isInUse: v.boolean(),
      /** Why it can't be used although it is there; null when it can. In English, for the operator. */
      fault: v.nullable(v.string()),
    }),
  ),
  installation: v.nullable(Installation),
});
export type AdminModel = v.InferOutput<typeof AdminModel>;

/**
 * Which model or engine is chosen for what; what is not named is chosen by itself. Speech: by language code of the contract, the id of a model or an
 * engine ("openai"). Translation: by "en>es", the ids of engines in order. Voices: by two-letter code, the id of a
 * voice model or "espeak".
 */
export const ModelChoices = v.object({
  live: v.optional(v.record(v.string(), v.string()), {}),
  files: v.optional(v.record(v.string(), v.string()), {}),
  translation: v.optional(v.record(v.string(), v.array(v.string())), {}),
  voices: v.optional(v.record(v.string(), v.string()), {}),
});
export type ModelChoices = v.InferOutput<typeof ModelChoices>;

/** What recognizes, translates or speaks a language here: the options of a choice, the one in effect first marked. */
export const ModelOptions = v.object({
  language: v.string(),
  /** Candidates by id, best first; `keepsUp`: measured or estimated to be faster than speech, null when not known. */
  candidates: v.array(v.object({ id: v.string(), name: v.string(), keepsUp: v.nullable(v.boolean()) })),
  live: v.nullable(v.string()),
  files: v.nullable(v.string()),
});
export type ModelOptions = v.InferOutput<typeof ModelOptions>;

/** What translates a pair here: the engines in the order in which they are asked. */
export const TranslationOptions = v.object({
  source: v.string(),
  target: v.string(),
  engines: v.array(v.object({ id: v.string(), name: v.string() })),
});
export type TranslationOptions = v.InferOutput<typeof TranslationOptions>;

/** What speaks a language here, by its two-letter code; `chosen` is the one in effect. */
export const VoiceOptions = v.object({
  language: v.string(),
  candidates: v.array(v.object({ id: v.string(), name: v.string() })),
  chosen: v.nullable(v.string()),
});
export type VoiceOptions = v.InferOutput<typeof VoiceOptions>;

/** GET /admin/models: superusers. */
export const ModelsAnswer = v.object({
  machine: v.object({
    cores: v.number(),
    memoryBytes: v.number(),
    freeMemoryBytes: v.number(),
    freeDiskBytes: v.number(),
  }),
  /** MODELS_MIRROR is set: its host. */
  mirror: v.nullable(v.string()),
  models: v.array(AdminModel),
  choices: ModelChoices,
  /** One entry for each speech language that more than nothing recognizes. */
  speech: v.array(ModelOptions),
  /** Pairs that more than one engine translates; absent: the server gives no choice. */
  translation: v.optional(v.array(TranslationOptions)),
  /** Languages that more than one voice speaks; absent: the server gives no choice. */
  voices: v.optional(v.array(VoiceOptions)),
});
export type ModelsAnswer = v.InferOutput<typeof ModelsAnswer>;

// POST /admin/models/{id}/install | pause | resume | cancel → Installation; 404 unknown, 409 `conflict` when its state does not allow it (two
//   administrators who install the same get the same installation, not an error).
// DELETE /admin/models/{id} → 204; 409 `conflict` while it is in use.
// PUT /admin/models/choices {ModelChoices} → ModelChoices; 400 for a model that is not installed or does not know the language.
// POST /admin/models/import?name=<file name>: the archive as the body (application/octet-stream) → 202 {id, installation}.
//   400 for a file that is no archive; 507 when the disk is too small for it.
// GET /admin/models/export: the list of installed models as a file (ModelList), for another machine: `npm run models -- install --from <file>`.

/** What POST /admin/models/import answers: the model that the file is, as far as its name tells, and its installation. */
export const ModelImport = v.object({ id: v.string(), installation: Installation });
export type ModelImport = v.InferOutput<typeof ModelImport>;

/** What GET /admin/models/export gives. */
export const ModelList = v.object({
  product: v.literal("parlance"),
  models: v.array(v.object({ id: v.string(), check: ModelCheck, bytes: v.number() })),
  choices: ModelChoices,
});
export type ModelList = v.InferOutput<typeof ModelList>;
