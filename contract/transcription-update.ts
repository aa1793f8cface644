import * as v from "valibot";
import { SpeechLanguage, TextLanguage } from "./language.ts";
import { TrackNumber } from "./tracks.ts";
import { OtherText, Seconds, Span, SpeakerCount, SpeakerName } from "./transcription.ts";

const SegmentIndex = v.pipe(v.number(), v.integer(), v.minValue(0));
/** The longest text of one segment (characters). */
export const passageLength = 20_000;

/** A passage as it becomes by splitting or merging. */
export const Passage = v.pipe(
  v.object({
    text: v.pipe(v.string(), v.trim(), v.maxLength(passageLength)),
    speaker: v.nullable(SpeakerName),
    /** As it was; default: that of what it is made of, or made anew. */
    translation: v.optional(v.pipe(v.string(), v.maxLength(passageLength))),
    /** Where it was; default: by its words. */
    span: v.optional(Span),
  }),
  v.check(({ text, span }) => text !== "" || span !== undefined, "a new passage needs a text"),
);
export type Passage = v.InferOutput<typeof Passage>;

/** The `count` segments from `index` on become these passages. */
export const Regroup = v.object({
  index: SegmentIndex,
  count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50_000)),
  passages: v.pipe(v.array(Passage), v.minLength(1), v.maxLength(10_000)),
  /** The texts of these segments that the passages were made of. */
  bases: v.optional(v.pipe(v.array(v.string()), v.maxLength(50_000))),
});
export type Regroup = v.InferOutput<typeof Regroup>;

/** The confidence of a word, by its time (seconds), which stays when passages are split and merged; null: nothing is known. */
export const WordMark = v.object({
  start: Seconds,
  text: v.pipe(v.string(), v.maxLength(1000)),
  confidence: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
});
export type WordMark = v.InferOutput<typeof WordMark>;

/**
 * PUT /audio/remove-transcription/{id}. Every field is optional; `edits` corrects single segments (unchanged words keep their
 * times), `speakers` sets the speaker of some of them (null: unnamed), `translations` corrects those of single segments (until their text
 * changes; they come back with their language), `regroups` splits and merges segments (words keep their
 * times and marks, each has its own segments, whose indices are those before all of them), `words` says which words were recognized
 * well and which were not (a word that is not there any more is passed over), `spans` says where the segments that the first four name
 * were when the person saw them: where they have been divided since, a corrected one becomes whole again, and all parts get the speaker (409
 * `conflict` when nothing is there any more, or they are part of others), `text` replaces the whole text, a new `targetLanguage`
 * translates (null hides the translation), `deletedAt: null` undoes a deletion, `retry: true` retries a failed job,
 * `diarize` finds out (again) who speaks: a finished transcription stays as it is meanwhile, with `progress.stage`
 * "diarizing", and when that fails. `recognize: true` has the server recognize the sound of a finished transcription whose `engine` is
 * "browser" or "device": the text stays as it is meanwhile, and when that fails (warning `recognitionFailed`); then the new text
 * replaces all of it, corrections and translation included. A correction meanwhile ends it (warning `correctedMeanwhile`). `track` does
 * the same with another sound track of the recording, whose spoken minutes count like those of a new recording; it is spoken in
 * `sourceLanguage`, by default in the language that the file says, or else in the transcription's (409 `conflict` for the track that the
 * text is of, 400 `badRequest` for one that is not there, 402 `limitReached` when its minutes are used up). `base`,
 * `bases` and `textBase` say what a text was when the person began to change it: where somebody else has changed it since, both
 * changes are merged word by word; where both have changed the same words, the segment keeps its text and gets the person's among
 * its `others`. `others` removes these, or puts them back.
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
      v.check((list) => list.reduce((sum, { segments }) => sum + segments.length, 0) <= 50_000, "names too many segments"),
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
  /** `speakers`: how many there are; null to find out. */
  diarize: v.optional(v.object({ speakers: v.nullable(SpeakerCount) })),
  recognize: v.optional(v.literal(true)),
  track: v.optional(TrackNumber),
  /** Only with `track`. */
  sourceLanguage: v.optional(SpeechLanguage),
});
export type TranscriptionUpdate = v.InferOutput<typeof TranscriptionUpdate>;

/** DELETE /audio/remove-transcription/{id}: in the trash until `purgeAt` (ISO 8601); until then PUT {deletedAt: null}. */
export const DeletionAnswer = v.object({ id: v.string(), purgeAt: v.string() });
/** As the page accepts it; without a time it can't be undone. */
export const AcceptedDeletion = v.fallback(v.object({ purgeAt: v.optional(v.string()) }), {});
