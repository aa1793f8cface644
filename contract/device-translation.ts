import * as v from "valibot";

/** One file of a model with which a browser translates. */
export const DeviceTranslationFile = v.object({
  /** `vocabulary` is both languages', or the source's where there is a `targetVocabulary`. */
  part: v.picklist(["model", "shortlist", "vocabulary", "targetVocabulary"]),
  /** A path of the API, for signed-in people; takes `Range`. The content there never changes. */
  url: v.string(),
  bytes: v.number(),
  /** In hex. */
  sha256: v.string(),
});
export type DeviceTranslationFile = v.InferOutput<typeof DeviceTranslationFile>;

/** GET /api/v1/device-translations/{source}/{target}: the model that translates this pair; 404 `notFound` where there is none. */
export const DeviceTranslationAnswer = v.object({ files: v.array(DeviceTranslationFile) });
