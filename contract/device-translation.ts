import * as v from "valibot";

/** A file of a translation model for browsers. */
export const DeviceTranslationFile = v.object({
  /** `vocabulary` is for both languages, or only for the source if there is a `targetVocabulary`. */
  part: v.picklist(["model", "shortlist", "vocabulary", "targetVocabulary"]),
  /** A path of the API for signed-in users; supports `Range`. Its content never changes. */
  url: v.string(),
  bytes: v.number(),
  /** Hex. */
  sha256: v.string(),
});
export type DeviceTranslationFile = v.InferOutput<typeof DeviceTranslationFile>;

/**
 * GET /api/v1/device-translations/{source}/{target}: the model that translates this pair; 404 `notFound` where there is
 * none.
 */
export const DeviceTranslationAnswer = v.object({ files: v.array(DeviceTranslationFile) });
