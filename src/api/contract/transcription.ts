import * as v from "valibot";
import { AcceptedId, acceptedRows } from "./accepted.ts";
import { ErrorBody } from "./error.ts";
import { SpeechLanguage, TextLanguage } from "./language.ts";

const Seconds = v.pipe(v.number(), v.finite(), v.minValue(0));

/** ISO 8601 with a time. Such a form can still name no moment ("+23" as an offset, the 30th of February). */
export const Moment = v.pipe(
  v.string(),
  v.maxLength(40),
  v.isoTimestamp(),
  v.check((text) => !Number.isNaN(Date.parse(text)), "must be a moment that exists"),
);

/** One word as it was heard; `start` and `end` in seconds from the beginning of the audio; `confidence` from 0 to 1. */
export const Word = v.object({
  text: v.string(),
  start: Seconds,
  end: Seconds,
  confidence: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
});
export type Word = v.InferOutput<typeof Word>;

/** What was said without a pause; times in seconds from the beginning of the audio. */
export const Segment = v.object({
  start: Seconds,
  end: Seconds,
  text: v.string(),
  words: v.array(Word),
  translation: v.optional(v.string()),
  /** The language that was spoken, where it is not the transcription's own: the other side of a conversation. */
  language: v.optional(v.union([SpeechLanguage, TextLanguage])),
  /** The language that this segment is translated to, where it is not the transcription's own. */
  translationLanguage: v.optional(TextLanguage),
  /** Who spoke, as the engine tells them apart ("1", "2", …) or as a person has named them. */
  speaker: v.optional(v.pipe(v.string(), v.maxLength(80))),
  /** The turn of a conversation that it belongs to. */
  turn: v.optional(v.pipe(v.string(), v.uuid())),
});
export type Segment = v.InferOutput<typeof Segment>;

/** SPEC.md section 3: completed, processing; anything else is treated as failed; a missing status means pending. */
export const statuses = ["pending", "processing", "completed", "failed"] as const;
export const TranscriptionStatus = v.picklist(statuses);
export type TranscriptionStatus = v.InferOutput<typeof TranscriptionStatus>;

/** Where a job is: waiting for its turn, its audio being fetched from an address, decoded to PCM, recognised, translated, or finished. */
export const stages = ["waiting", "fetching", "decoding", "recognizing", "translating", "finished"] as const;
export const Stage = v.picklist(stages);
export type Stage = v.InferOutput<typeof Stage>;

export const Progress = v.object({
  stage: Stage,
  /** 0 to 1 over the whole job. */
  fraction: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  /** From the speed measured so far; null until there is something to measure. */
  secondsLeft: v.nullable(v.number()),
});
export type Progress = v.InferOutput<typeof Progress>;

/** Of a text in the history, at most (characters). An hour of speech has some 50,000. */
export const listedTextLength = 20_000;

/** One row of the history. `status` is left loose here: clients apply SPEC.md's rule with `statusOf`. */
export const TranscriptionSummary = v.object({
  id: v.string(),
  title: v.string(),
  text: v.string(),
  translatedText: v.string(),
  /** As it was asked for ("auto" included). */
  sourceLanguage: v.string(),
  targetLanguage: v.nullable(v.string()),
  /** ISO 8601, UTC. */
  date: v.string(),
  status: v.optional(v.string()),
  /** null: another server may not say; ours always does. */
  origin: v.nullable(v.picklist(["dictation", "upload", "url", "conversation"])),
  durationSeconds: v.nullable(v.number()),
  hasAudio: v.boolean(),
  progress: v.nullable(Progress),
  /** Why it failed, when it did. A completed one may carry `noSpeech` or `truncated` or `translationFailed`: a warning. */
  error: v.nullable(ErrorBody),
  /** Its texts are longer than lists show (`listedTextLength`): the search of the server finds what is not here. */
  shortened: v.optional(v.boolean()),
});
export type TranscriptionSummary = v.InferOutput<typeof TranscriptionSummary>;

export const Transcription = v.object({
  ...TranscriptionSummary.entries,
  segments: v.array(Segment),
  fileName: v.nullable(v.string()),
  engine: v.nullable(v.string()),
});
export type Transcription = v.InferOutput<typeof Transcription>;

export const Pagination = v.object({ page: v.number(), limit: v.number(), total: v.number(), totalPages: v.number() });
export type Pagination = v.InferOutput<typeof Pagination>;

/** GET /api/v1/audio-transcriptions/transcription-history (newest first). */
export const HistoryAnswer = v.object({ data: v.array(TranscriptionSummary), pagination: Pagination });
export type HistoryAnswer = v.InferOutput<typeof HistoryAnswer>;

/** What a transcription may lack that the page takes: all but its id. */
const acceptedSummary = {
  id: AcceptedId,
  title: v.fallback(v.string(), ""),
  text: v.fallback(v.string(), ""),
  translatedText: v.fallback(v.string(), ""),
  sourceLanguage: v.fallback(v.string(), "auto"),
  targetLanguage: v.fallback(v.nullable(v.string()), null),
  date: v.fallback(v.string(), ""),
  status: v.fallback(v.optional(v.string()), undefined),
  origin: v.fallback(TranscriptionSummary.entries.origin, null),
  durationSeconds: v.fallback(v.nullable(v.number()), null),
  hasAudio: v.fallback(v.boolean(), false),
  progress: v.fallback(v.nullable(Progress), null),
  error: v.fallback(v.nullable(ErrorBody), null),
  shortened: v.fallback(v.optional(v.boolean()), undefined),
} satisfies Record<keyof TranscriptionSummary, v.GenericSchema>;
export const AcceptedSummary = v.object(acceptedSummary);
export const AcceptedTranscription = v.object({
  ...acceptedSummary,
  segments: v.fallback(v.array(Segment), () => []),
  fileName: v.fallback(v.nullable(v.string()), null),
  engine: v.fallback(v.nullable(v.string()), null),
});
/** A page of the history: one that does not say how many there are is the only one. */
export const AcceptedHistory = v.pipe(
  v.object({ data: acceptedRows(AcceptedSummary), pagination: v.fallback(v.optional(Pagination), undefined) }),
  v.transform(({ data, pagination }): HistoryAnswer => {
    return { data, pagination: pagination ?? { page: 1, limit: data.length, total: data.length, totalPages: 1 } };
  }),
);

const QueryNumber = (fallback: string) =>
  v.pipe(v.optional(v.string(), fallback), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(1));
/** Its query: page from 1 (default 1), limit 1 to 1000 (default 20), search (trimmed; empty means none). */
export const HistoryQuery = v.object({
  page: QueryNumber("1"),
  limit: v.pipe(QueryNumber("20"), v.maxValue(1000)),
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), ""),
});

/** POST /api/v1/audio-transcriptions/save-final-transcription: what was dictated. */
export const FinalTranscription = v.object({
  /** Made by the page: saving twice under the same one saves once (a lost answer is retried without a double). */
  clientId: v.pipe(v.string(), v.uuid()),
  /** The live recording whose audio belongs to it. */
  recordingId: v.optional(v.pipe(v.string(), v.uuid())),
  title: v.pipe(v.string(), v.trim(), v.maxLength(300)),
  text: v.pipe(v.string(), v.maxLength(2_000_000)),
  translatedText: v.optional(v.pipe(v.string(), v.maxLength(2_000_000)), ""),
  segments: v.pipe(v.array(Segment), v.maxLength(50_000)),
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.nullable(TextLanguage),
  date: Moment,
});
export type FinalTranscription = v.InferOutput<typeof FinalTranscription>;

const SegmentIndex = v.pipe(v.number(), v.integer(), v.minValue(0));
/** As the engine tells speakers apart ("1", "2", …), or as a person has named them. */
const SpeakerName = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80));

/**
 * PUT /audio/remove-transcription/{id}. Every field is optional; `edits` corrects single segments (word times are kept where the
 * words are), `speakers` says who spoke in some of them (null: nobody is named), `text` replaces the whole text, a new
 * `targetLanguage` translates, `deletedAt: null` undoes a deletion, `retry: true` sets a failed job going again.
 */
export const TranscriptionUpdate = v.object({
  title: v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(300))),
  text: v.optional(v.pipe(v.string(), v.maxLength(2_000_000))),
  edits: v.optional(
    v.pipe(v.array(v.object({ index: SegmentIndex, text: v.pipe(v.string(), v.maxLength(20_000)) })), v.maxLength(50_000)),
  ),
  speakers: v.optional(
    v.pipe(
      v.array(v.object({ name: v.nullable(SpeakerName), segments: v.array(SegmentIndex) })),
      v.maxLength(1_000),
      v.check((list) => list.reduce((sum, { segments }) => sum + segments.length, 0) <= 50_000, "names too many segments"),
    ),
  ),
  targetLanguage: v.optional(v.nullable(TextLanguage)),
  deletedAt: v.optional(v.null()),
  retry: v.optional(v.literal(true)),
});
export type TranscriptionUpdate = v.InferOutput<typeof TranscriptionUpdate>;

/** A deletion can be undone for this long, in milliseconds. */
export const undoMs = 10 * 60 * 1000;

/** DELETE /audio/remove-transcription/{id}: gone for good at `purgeAt` (ISO 8601), ten minutes later; until then PUT {deletedAt: null}. */
export const DeletionAnswer = v.object({ id: v.string(), purgeAt: v.string() });
/** As the page takes it; one that tells no time can't be undone. */
export const AcceptedDeletion = v.fallback(v.object({ purgeAt: v.optional(v.string()) }), {});

/**
 * The text fields of POST upload-and-transcribe (multipart), which must come before the field `file`; and the metadata of a resumable
 * upload (tus: POST /api/v1/uploads), where `filename` and `filetype` stand beside them.
 */
export const UploadFields = v.object({
  clientId: v.pipe(v.string(), v.uuid()),
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.optional(TextLanguage),
  title: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(300))),
  /** The file's size in bytes as the page sees it: less than that arriving is an interrupted upload. */
  size: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
  /** Names and terms to expect, as a person would write them down; for engines that listen to them (SpeechOption.vocabulary). */
  vocabulary: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(2000))),
  /** "1": the speakers are told apart, by engines that can (SpeechOption.speakers). */
  speakers: v.optional(v.literal("1")),
});

export const exportFormats = ["txt", "srt", "vtt", "docx", "json"] as const;
export const ExportFormat = v.picklist(exportFormats);
export type ExportFormat = v.InferOutput<typeof ExportFormat>;

/** One server-sent event (`event: transcription`) of the two /events streams: the row as it is now, and segments as they arrive. */
export const TranscriptionEvent = v.object({ transcription: TranscriptionSummary, segments: v.optional(v.array(Segment)) });
export type TranscriptionEvent = v.InferOutput<typeof TranscriptionEvent>;
export const AcceptedEvent = v.object({ transcription: AcceptedSummary, segments: v.optional(v.array(Segment)) });

/** SPEC.md section 3's rule for a status that arrives. */
export function statusOf(status: string | undefined): TranscriptionStatus {
  if (status === undefined) return "pending";
  return status === "completed" || status === "processing" || status === "pending" ? status : "failed";
}
