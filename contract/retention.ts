import * as v from "valibot";

/** Days after which something is deleted: at most ten years. */
const maxRetentionDays = 3650;

const Days = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxRetentionDays)));
const FolderId = v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(80)));

/**
 * PUT /api/v1/audio-transcriptions/retention: after how many days (from a transcription's date) the sound of what is in a folder is deleted, and
 * after how many it is moved to the trash, from which it goes as everything there. Null: it is kept for ever. `folderId: null` is what is in
 * no folder.
 */
export const RetentionRule = v.object({ folderId: FolderId, audioDays: Days, textDays: Days });
export type RetentionRule = v.InferOutput<typeof RetentionRule>;

/** GET /api/v1/audio-transcriptions/retention: a person's rules; what has none is kept for ever. */
export const RetentionAnswer = v.object({ rules: v.array(RetentionRule) });
export type RetentionAnswer = v.InferOutput<typeof RetentionAnswer>;

/** What a rule would delete of one kind: how many a day after it was set, and when the next one after these (ISO 8601). */
export const RetentionForecast = v.object({ soon: v.number(), next: v.nullable(v.string()) });
export type RetentionForecast = v.InferOutput<typeof RetentionForecast>;

/** POST /api/v1/audio-transcriptions/retention/preview: what a rule would delete, before it is set. */
export const RetentionPreview = v.object({ audio: RetentionForecast, text: RetentionForecast });
export type RetentionPreview = v.InferOutput<typeof RetentionPreview>;

/** GET …/transcription/{id}/retention: when its sound is deleted, and when it goes to the trash (ISO 8601); null: never. */
export const RetentionDates = v.object({ audioAt: v.nullable(v.string()), textAt: v.nullable(v.string()) });
export type RetentionDates = v.InferOutput<typeof RetentionDates>;
