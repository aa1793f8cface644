import * as v from "valibot";

const modelPurposes = ["hearing", "speakers", "punctuation", "speaking", "translation"] as const;
export const ModelPurpose = v.picklist(modelPurposes);
export type ModelPurpose = v.InferOutput<typeof ModelPurpose>;

/** How a model is loaded: each kind has its own files and parameters. */
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
 * How a download is compared with what its makers published. `pinned`: its SHA-256 is in this product's catalog.
 * `release`: the release's own list of SHA-256, fetched over HTTPS, which its makers can change. `size`: only the
 * number of bytes. `none`: unpacked by hand, or imported from a file that the catalog does not know.
 */
const modelChecks = ["pinned", "release", "size", "none"] as const;
export const ModelCheck = v.picklist(modelChecks);
export type ModelCheck = v.InferOutput<typeof ModelCheck>;

/** The states of machines/models/installation.ts that its list shows; `idle` means that there is no installation. */
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
  /** No mirror answered, or the connection broke repeatedly. */
  "unreachable",
  /** No mirror has the file: the URL in the catalog no longer exists. */
  "gone",
  /** The download has a wrong size or SHA-256. */
  "mismatch",
  /** The disk has too little space; detected before it is full. */
  "diskFull",
  "damaged",
  /** The archive contains paths outside of its folder, or links, or unpacks to far more than it states. */
  "hostile",
  /** The files are of another kind than in the catalog, or of an unknown kind. */
  "wrongKind",
  /** The model could not be loaded, or did not answer, in its trial. */
  "unusable",
  /** The model needs more memory than this machine has. */
  "memory",
  "unknown",
] as const;
export const InstallationFailure = v.picklist(installationFailures);
export type InstallationFailure = v.InferOutput<typeof InstallationFailure>;

export const Installation = v.object({
  state: InstallationState,
  /** Bytes of the current step (downloading: received; unpacking: read), and their total; null when unknown. */
  bytesDone: v.number(),
  bytesTotal: v.nullable(v.number()),
  /**
   * Bytes per second over the last seconds, and seconds left at that speed; null when not downloading, or not known
   * yet.
   */
  bytesPerSecond: v.nullable(v.number()),
  secondsLeft: v.nullable(v.number()),
  /** Whether the last attempt of a download failed, and is retried automatically; absent: no. */
  isRetrying: v.optional(v.boolean()),
  /** The host of the download, for display; null before the first response and for imported files. */
  host: v.nullable(v.string()),
  /** Only in the state `failed`. */
  failure: v.nullable(InstallationFailure),
  /** In English, for the operator; may contain paths and URLs. */
  detail: v.nullable(v.string()),
});
export type Installation = v.InferOutput<typeof Installation>;

/**
 * The measured speed of a model on this machine: seconds of processing per second of audio (translation: milliseconds
 * per word).
 */
export const MeasuredSpeed = v.object({ factor: v.number(), threads: v.number(), at: v.string() });
export type MeasuredSpeed = v.InferOutput<typeof MeasuredSpeed>;

/** A model of the catalog, installed, or both. */
export const AdminModel = v.object({
  /** Also the name of its folder. */
  id: v.string(),
  /**
   * Display name ("Whisper small", "Parakeet TDT 0.6B v3"); absent for a model without one: its languages or its id are
   * shown instead.
   */
  name: v.optional(v.string()),
  purpose: ModelPurpose,
  /** Null: a folder without a known model. */
  kind: v.nullable(ModelKind),
  /** Language codes ("de", "pt"), sorted; empty for a model without a language. */
  languages: v.array(v.string()),
  /** Set when `languages` is incomplete: about how many it recognizes. Absent: the list is complete. */
  languageCount: v.optional(v.number()),
  /** Whether it detects which of its languages is spoken. */
  detects: v.boolean(),
  /** Only for a translation model. */
  pair: v.nullable(v.object({ source: v.string(), target: v.string() })),
  /** The language pairs that it translates during speech recognition. */
  translatesSpeech: v.array(v.object({ source: v.string(), target: v.string() })),
  /** Whether words appear during speech. */
  isStreaming: v.boolean(),
  /** Whether it uses expected names and terms. */
  takesVocabulary: v.boolean(),
  /** Size of the download; null when unknown (an installed model outside of the catalog). */
  downloadBytes: v.nullable(v.number()),
  /** Size on the disk and, roughly, in memory; estimated until it is installed. */
  diskBytes: v.number(),
  memoryBytes: v.number(),
  /**
   * URLs of its single published file, for machines that import it; empty for several files, or outside of the catalog.
   */
  addresses: v.array(v.string()),
  licence: v.string(),
  /**
   * What the operator should know about the license before the download: a stable name with a text
   * (`models.caveat.<name>`).
   */
  caveat: v.nullable(v.picklist(["ownLicence", "shareAlike", "checkLicence", "attribution", "nonCommercial"])),
  /** The published word error rate in percent, and its test set. */
  wordErrors: v.nullable(v.object({ percent: v.number(), on: v.string() })),
  /** Published COMET-22 (x100), with Google's in the same test. */
  comet: v.nullable(v.object({ score: v.number(), google: v.nullable(v.number()) })),
  /** The speed as published ("0.118 (2 threads)"). */
  publishedSpeed: v.nullable(v.string()),
  measuredSpeed: v.nullable(MeasuredSpeed),
  /**
   * For a model of speech: whether it was measured here to be fast enough for live speech; null without a measurement.
   */
  keepsUp: v.nullable(v.boolean()),
  /** The check for a download, or the check that the installed model has passed. */
  check: ModelCheck,
  /** The resources that this machine lacks; empty when the model fits. */
  lacks: v.array(v.picklist(["memory", "disk"])),
  /** The languages for which it is recommended on this machine; empty for all other models. */
  recommendedFor: v.array(v.string()),
  installed: v.nullable(
    v.object({
      /** When it was installed, ISO 8601; null for one unpacked by hand. */
      at: v.nullable(v.string()),
      source: v.picklist(["builtIn", "catalogue", "file", "byHand"]),
      /** Whether it is in use and can't be removed. */
      isInUse: v.boolean(),
      /** Why an existing model can't be used; null when it can. In English, for the operator. */
      fault: v.nullable(v.string()),
    }),
  ),
  installation: v.nullable(Installation),
});
export type AdminModel = v.InferOutput<typeof AdminModel>;

/**
 * The chosen model or engine for each use; uses without an entry are automatic. Speech: by language code of the
 * contract, the id of a model or an engine ("openai"). Translation: by "en>es", the ids of engines in order. Voices: by
 * two-letter code, the id of a voice model or "espeak".
 */
export const ModelChoices = v.object({
  live: v.optional(v.record(v.string(), v.string()), {}),
  files: v.optional(v.record(v.string(), v.string()), {}),
  translation: v.optional(v.record(v.string(), v.array(v.string())), {}),
  voices: v.optional(v.record(v.string(), v.string()), {}),
});
export type ModelChoices = v.InferOutput<typeof ModelChoices>;

/** The options for recognizing a language here, and those in effect. */
export const ModelOptions = v.object({
  language: v.string(),
  /**
   * Candidates by id, best first. `keepsUp`: measured or estimated to be faster than live speech; null when unknown.
   */
  candidates: v.array(v.object({ id: v.string(), name: v.string(), keepsUp: v.nullable(v.boolean()) })),
  live: v.nullable(v.string()),
  files: v.nullable(v.string()),
});
export type ModelOptions = v.InferOutput<typeof ModelOptions>;

/** The engines that translate a pair here, in the order of use. */
export const TranslationOptions = v.object({
  source: v.string(),
  target: v.string(),
  engines: v.array(v.object({ id: v.string(), name: v.string() })),
});
export type TranslationOptions = v.InferOutput<typeof TranslationOptions>;

/** The voices of a language here, by its two-letter code; `chosen` is the one in effect. */
export const VoiceOptions = v.object({
  language: v.string(),
  candidates: v.array(v.object({ id: v.string(), name: v.string() })),
  chosen: v.nullable(v.string()),
});
export type VoiceOptions = v.InferOutput<typeof VoiceOptions>;

/** GET /admin/models: for superusers. */
export const ModelsAnswer = v.object({
  machine: v.object({
    cores: v.number(),
    memoryBytes: v.number(),
    freeMemoryBytes: v.number(),
    freeDiskBytes: v.number(),
  }),
  /** The host of MODELS_MIRROR, if set. */
  mirror: v.nullable(v.string()),
  models: v.array(AdminModel),
  choices: ModelChoices,
  /** One entry for each speech language that an engine recognizes. */
  speech: v.array(ModelOptions),
  /** Pairs that several engines translate; absent: the server offers no choice. */
  translation: v.optional(v.array(TranslationOptions)),
  /** Languages with several voices; absent: the server offers no choice. */
  voices: v.optional(v.array(VoiceOptions)),
});
export type ModelsAnswer = v.InferOutput<typeof ModelsAnswer>;

// POST /admin/models/{id}/install | pause | resume | cancel → Installation; 404 unknown, 409 `conflict` when its state
// does not allow it (two administrators who install the same model get the same installation, not an error).
//
// DELETE /admin/models/{id} → 204; 409 `conflict` while it is in use.
//
// PUT /admin/models/choices {ModelChoices} → ModelChoices; 400 for a model that is not installed or does not know the
// language.
//
// POST /admin/models/import?name=<file name>: the archive as the body (application/octet-stream)
//   → 202 {id, installation}; 400 for a file that is not an archive; 507 when the disk is too small for it.
//
// GET /admin/models/export: the list of installed models as a file (ModelList), for another machine:
//   `npm run models -- install --from <file>`.

/** The response of POST /admin/models/import: the model, as far as the file name tells, and its installation. */
export const ModelImport = v.object({ id: v.string(), installation: Installation });
export type ModelImport = v.InferOutput<typeof ModelImport>;

/** The response of GET /admin/models/export. */
export const ModelList = v.object({
  product: v.literal("parlance"),
  models: v.array(v.object({ id: v.string(), check: ModelCheck, bytes: v.number() })),
  choices: ModelChoices,
});
export type ModelList = v.InferOutput<typeof ModelList>;
