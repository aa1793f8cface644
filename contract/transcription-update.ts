import * as v from "valibot";
import { SpeechLanguage, TextLanguage } from "./language.ts";
import { TrackNumber } from "./tracks.ts";
import { OtherText, Seconds, Span, SpeakerCount, SpeakerName } from "./transcription.ts";

const SegmentIndex = v.pipe(v.number(), v.integer(), v.minValue(0));
/** Longest text of one segment (characters). */
export const passageLength = 20_000;

/** A passage after splitting or merging. */
export const Passage = v.pipe(
  v.object({
    text: v.pipe(v.string(), v.trim(), v.maxLength(passageLength)),
    speaker: v.nullable(SpeakerName),
    /** Its former translation; default: that of the replaced segments, or a new one. */
    translation: v.optional(v.pipe(v.string(), v.maxLength(passageLength))),
    /** Its former span; default: determined by its words. */
    span: v.optional(Span),
  }),
  v.check(({ text, span }) => text !== "" || span !== undefined, "a new passage needs a text"),
);
export type Passage = v.InferOutput<typeof Passage>;

/** Replaces the `count` segments from `index` on by these passages. */
export const Regroup = v.object({
  index: SegmentIndex,
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50_000)),
  passages: v.pipe(v.array(Passage), v.minLength(1), v.maxLength(10_000)),
  /** The texts of the segments when the passages were made. */
  bases: v.optional(v.pipe(v.array(v.string()), v.maxLength(50_000))),
});
export type Regroup = v.InferOutput<typeof Regroup>;

/**
 * The confidence of a word, identified by its time (seconds), which splitting and merging don't change; null: unknown.
 */
export const WordMark = v.object({
  start: Seconds,
  text: v.pipe(v.string(), v.maxLength(1000)),
  confidence: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
});
export type WordMark = v.InferOutput<typeof WordMark>;

/**
 * PUT /audio/remove-transcription/{id}. Every field is optional.
 *
 * - `edits` corrects single segments; unchanged words keep their times.
 * - `speakers` sets the speaker of some segments (null: unnamed).
 * - `translations` corrects translations of single segments. They last until the text changes, and come back with
 *   their language.
 * - `regroups` splits and merges segments. Words keep their times and marks. Each entry has its own segments; their
 *   indices are those before all entries.
 * - `words` states which words were recognized well and which were not. A word that no longer exists is ignored.
 * - `spans` states where the segments named by the first four fields were when the user saw them. If they were
 *   divided since, a corrected one is rejoined, and all parts get the speaker (409 `conflict` when nothing is there any
 *   more, or they are part of others).
 * - `text` replaces the whole text.
 * - `targetLanguage`, if new, translates (null hides the translation).
 * - `deletedAt: null` undoes a deletion.
 * - `retry: true` retries a failed job.
 * - `diarize` detects (again) who speaks. A finished transcription stays as it is in the meantime, with
 *   `progress.stage` "diarizing", and also after a failure.
 * - `recognize: true` recognizes the audio of a finished transcription whose `engine` is "browser" or "device". The
 *   text stays as it is in the meantime, and after a failure (warning `recognitionFailed`). On success, the new text
 *   replaces all of it, including corrections and the translation. A correction in the meantime stops the job (warning
 *   `correctedMeanwhile`).
 * - `track` does the same with another sound track of the recording, whose spoken minutes count like those of a new
 *   recording. 409 `conflict` for the transcribed track, 400 `badRequest` for a missing one, 402 `limitReached` when
 *   its minutes are used up.
 * - `sourceLanguage` is the language of that track; default: the language stated in the file, or else the
 *   transcription's.
 * - `base`, `bases` and `textBase` are a text when the user began to change it. If another user has changed it since,
 *   both changes are merged word by word. If both have changed the same words, the segment keeps its text, and the new
 *   text is added to its `others`.
 * - `others` removes these conflicts, or restores them.
 */
export const TranscriptionUpdate = v.object({
  title: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(300))),
  text: v.optional(v.pipe(v.string(), v.maxLength(2_000_000))),
  edits: v.optional(
    v.pipe(
      v.array(v.object({ index: SegmentIndex, text: v.pipe(v.string(), v.maxLength(20_000)), base: v.optional(v.string()) })),
      v.maxLength(50_000),
    ),
  ),
  textBase: v.optional(v.pipe(v.string(), v.maxLength(2_000_000))),
  others: v.optional(
    v.pipe(v.array(v.object({ index: SegmentIndex, other: OtherText, present: v.boolean() })), v.maxLength(1_000)),
  ),
  speakers: v.optional(
    v.pipe(
      v.array(v.object({ name: v.nullable(SpeakerName), segments: v.array(SegmentIndex) })),
      v.maxLength(1_000),
      v.check((list) => list.reduce((sum, { segments }) => sum + segments.length, 0) <= 50_000, "has too many segments"),
    ),
  ),
  translations: v.optional(
    v.pipe(
      v.array(v.object({ index: SegmentIndex, text: v.pipe(v.string(), v.trim(), v.maxLength(passageLength)) })),
      v.maxLength(50_000),
    ),
  ),
  regroups: v.optional(v.pipe(v.array(Regroup), v.maxLength(10_000))),
  words: v.optional(v.pipe(v.array(WordMark), v.maxLength(50_000))),
  spans: v.optional(v.pipe(v.array(v.object({ index: SegmentIndex, span: Span })), v.maxLength(50_000))),
  targetLanguage: v.optional(v.nullable(TextLanguage)),
  deletedAt: v.optional(v.null()),
  retry: v.optional(v.literal(true)),
  /** `speakers`: their number; null: detected. */
  diarize: v.optional(v.object({ speakers: v.nullable(SpeakerCount) })),
  recognize: v.optional(v.literal(true)),
  track: v.optional(TrackNumber),
  /** Only with `track`. */
  sourceLanguage: v.optional(SpeechLanguage),
});
export type TranscriptionUpdate = v.InferOutput<typeof TranscriptionUpdate>;

/**
 * DELETE /audio/remove-transcription/{id}: it is in the trash until `purgeAt` (ISO 8601); until then, PUT {deletedAt:
 * null} restores it.
 */
export const DeletionAnswer = v.object({ id: v.string(), purgeAt: v.string() });
/** The response as the page accepts it; without a time, the deletion can't be undone. */
export const AcceptedDeletion = v.fallback(v.object({ purgeAt: v.optional(v.string()) }), {});
