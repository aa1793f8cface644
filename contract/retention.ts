import * as v from "valibot";

/** Most days until a deletion: ten years. */
const maxRetentionDays = 3650;

const Days = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxRetentionDays)));
const FolderId = v.nullable(v.pipe(v.string(), v.minLength(1), v.maxLength(80)));

/**
 * PUT /api/v1/audio-transcriptions/retention: deletes the audio of a folder's transcriptions after some days (from a
 * transcription's date), and moves the transcriptions to the trash after some days. Null: kept forever. `folderId:
 * null` means transcriptions in no folder.
 */
export const RetentionRule = v.object({ folderId: FolderId, audioDays: Days, textDays: Days });
export type RetentionRule = v.InferOutput<typeof RetentionRule>;

/** GET /api/v1/audio-transcriptions/retention: a user's rules; transcriptions without a rule are kept forever. */
export const RetentionAnswer = v.object({ rules: v.array(RetentionRule) });
export type RetentionAnswer = v.InferOutput<typeof RetentionAnswer>;

/**
 * What a rule would delete of one kind: how many within a day of being set, and the date of the next one after these
 * (ISO 8601).
 */
export const RetentionForecast = v.object({ soon: v.number(), next: v.nullable(v.string()) });
export type RetentionForecast = v.InferOutput<typeof RetentionForecast>;

/** POST /api/v1/audio-transcriptions/retention/preview: what a rule would delete. */
export const RetentionPreview = v.object({ audio: RetentionForecast, text: RetentionForecast });
export type RetentionPreview = v.InferOutput<typeof RetentionPreview>;

/**
 * GET …/transcription/{id}/retention: when its audio is deleted, and when it moves to the trash (ISO 8601); null:
 * never.
 */
export const RetentionDates = v.object({ audioAt: v.nullable(v.string()), textAt: v.nullable(v.string()) });
export type RetentionDates = v.InferOutput<typeof RetentionDates>;
