import * as v from "valibot";
import { ModelKind, ModelPurpose } from "#contract/index.ts";

const Pair = v.object({ source: v.string(), target: v.string() });
const Sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
const Bytes = v.pipe(v.number(), v.integer(), v.minValue(1));
/** A name within a folder: no separators, no way up. */
const FileName = v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/));

/** A single file; `bytes` and `sha256` are those of the download (of the .gz if it is compressed). */
export const CatalogueFile = v.object({
  /** Its name in the model's folder, without ".gz", because it is decompressed while it is unpacked. */
  name: FileName,
  /** Addresses in order of preference. */
  urls: v.pipe(v.array(v.pipe(v.string(), v.startsWith("https://"))), v.minLength(1)),
  bytes: v.optional(Bytes),
  sha256: v.optional(Sha256),
});
export type CatalogueFile = v.InferOutput<typeof CatalogueFile>;

/**
 * A model that can be installed. Only facts, with their source in the catalogue's data; conclusions for a machine are
 * computed elsewhere.
 */
export const CatalogueModel = v.object({
  id: FileName,
  /** The displayed name ("Whisper small"). */
  name: v.optional(v.string()),
  purpose: ModelPurpose,
  kind: ModelKind,
  /** Base codes ("de"). */
  languages: v.array(v.string()),
  languageCount: v.optional(v.number()),
  detects: v.optional(v.boolean(), false),
  pair: v.optional(Pair),
  translatesSpeech: v.optional(v.array(Pair), []),
  takesVocabulary: v.optional(v.boolean(), false),
  /**
   * An archive (.tar.bz2) with the contents of the folder; or the files one by one. If a model has both, the archive is
   * tried first.
   */
  archive: v.optional(v.object({ ...CatalogueFile.entries, checksums: v.optional(v.string()) })),
  files: v.optional(v.array(CatalogueFile), []),
  /**
   * The files to keep from the archive: patterns of paths in it ("*.int8.onnx", "espeak-ng-data/*"), "*" for anything.
   * Absent: all except audio.
   */
  keep: v.optional(v.array(v.string())),
  /** The approximate download size, if the exact number is unknown. */
  downloadBytes: v.optional(Bytes),
  /** Hashes of files in the archive, compared after it is unpacked; bytes of the files that are kept. */
  contents: v.optional(v.array(v.object({ name: FileName, bytes: v.optional(Bytes), sha256: v.optional(Sha256) })), []),
  /** Estimates, unless the files are listed with their sizes. */
  diskBytes: Bytes,
  memoryBytes: Bytes,
  licence: v.string(),
  caveat: v.optional(v.picklist(["ownLicence", "shareAlike", "checkLicence", "attribution"])),
  wordErrors: v.optional(v.object({ percent: v.number(), on: v.string() })),
  comet: v.optional(v.object({ score: v.number(), google: v.nullable(v.number()) })),
  publishedSpeed: v.optional(v.string()),
});
export type CatalogueModel = v.InferOutput<typeof CatalogueModel>;

/** The single file of an entry: its archive, or the only file of a model. */
export function singleOf({ archive, files }: CatalogueModel): CatalogueFile | undefined {
  return archive ?? (files.length === 1 ? files[0] : undefined);
}
