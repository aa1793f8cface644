import * as v from "valibot";
import { AcceptedId, acceptedRows } from "./accepted.ts";
import { ErrorBody } from "./error.ts";
import { SpeechLanguage, TextLanguage } from "./language.ts";

const Seconds = v.pipe(v.number(), v.finite(), v.minValue(0));

/** ISO 8601 with a time. The pattern also matches impossible moments ("+23" as an offset, the 30th of February). */
export const Moment = v.pipe(
  v.string(),
  v.maxLength(40),
  v.isoTimestamp(),
  v.check((text) => !Number.isNaN(Date.parse(text)), "must be a moment that exists"),
);

/** One recognised word; `start` and `end` in seconds from the beginning of the audio; `confidence` from 0 to 1. */
export const Word = v.object({
  text: v.string(),
  start: Seconds,
  end: Seconds,
  confidence: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** What the engine heard, where it is written differently: a replacement of the vocabulary, a number in digits. */
  heard: v.optional(v.string()),
});
export type Word = v.InferOutput<typeof Word>;

/** From when to when a segment lasts, in seconds: who knows it finds the segment again after others have been divided. */
export const Span = v.tuple([Seconds, Seconds]);
export type Span = v.InferOutput<typeof Span>;

/** Speech without a pause; times in seconds from the beginning of the audio. */
export const Segment = v.object({
  start: Seconds,
  end: Seconds,
  text: v.string(),
  words: v.array(Word),
  /** The text that the engine gave, where it is written differently and has no words that could say so. */
  heard: v.optional(v.string()),
  translation: v.optional(v.string()),
  /** The spoken language, where it is not the transcription's own: the other side of a conversation. */
  language: v.optional(v.union([SpeechLanguage, TextLanguage])),
  /** The target language of this segment, where it is not the transcription's own. */
  translationLanguage: v.optional(TextLanguage),
  /** The speaker, as labelled by the engine ("1", "2", …) or named by a person. */
  speaker: v.optional(v.pipe(v.string(), v.maxLength(80))),
  /** The turn of a conversation that it belongs to. */
  turn: v.optional(v.pipe(v.string(), v.uuid())),
});
export type Segment = v.InferOutput<typeof Segment>;

/** SPEC.md section 3: completed, processing; anything else is treated as failed; a missing status means pending. */
export const statuses = ["pending", "processing", "completed", "failed"] as const;
export const TranscriptionStatus = v.picklist(statuses);
export type TranscriptionStatus = v.InferOutput<typeof TranscriptionStatus>;

/** The stage of a job: queued, fetching its audio from an address, decoding to PCM, recognising, finding out who spoke, translating, or finished. */
export const stages = ["waiting", "fetching", "decoding", "recognizing", "diarizing", "translating", "finished"] as const;
export const Stage = v.picklist(stages);
export type Stage = v.InferOutput<typeof Stage>;

export const Progress = v.object({
  stage: Stage,
  /** 0 to 1 over the whole job. */
  fraction: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  /** Estimated from the speed so far; null until it can be. */
  secondsLeft: v.nullable(v.number()),
});
export type Progress = v.InferOutput<typeof Progress>;

/** How a transcription came to be. */
export const Origin = v.picklist(["dictation", "upload", "url", "conversation", "sample"]);
export type Origin = v.InferOutput<typeof Origin>;

/** Where a person has put a transcription: a folder, tags, favourites (filing.ts). */
export const Filed = v.object({
  /** null: in none. */
  folderId: v.nullable(v.string()),
  tagIds: v.array(v.string()),
  favourite: v.boolean(),
});
export type Filed = v.InferOutput<typeof Filed>;

/** The maximum length of a text in the history (characters). An hour of speech has some 50,000. */
export const listedTextLength = 20_000;

/** One row of the history. `status` is left loose here: clients apply SPEC.md's rule with `statusOf`. */
export const TranscriptionSummary = v.object({
  id: v.string(),
  title: v.string(),
  text: v.string(),
  translatedText: v.string(),
  /** As requested ("auto" included). */
  sourceLanguage: v.string(),
  targetLanguage: v.nullable(v.string()),
  /** ISO 8601, UTC. */
  date: v.string(),
  status: v.optional(v.string()),
  /** null: other servers may omit it; ours never does. */
  origin: v.nullable(Origin),
  durationSeconds: v.nullable(v.number()),
  hasAudio: v.boolean(),
  progress: v.nullable(Progress),
  /** Why it failed. A completed one may carry a warning: `noSpeech`, `truncated`, `translationFailed` or `diarizationFailed`. */
  error: v.nullable(ErrorBody),
  /** Its texts are longer than lists show (`listedTextLength`): only the server can search the rest. */
  shortened: v.optional(v.boolean()),
  /** Other servers may have neither folders nor tags. */
  filed: v.optional(Filed),
});
export type TranscriptionSummary = v.InferOutput<typeof TranscriptionSummary>;

export const Transcription = v.object({
  ...TranscriptionSummary.entries,
  segments: v.array(Segment),
  fileName: v.nullable(v.string()),
  engine: v.nullable(v.string()),
  /** It is (to be) found out who speaks, as a step of its own. */
  diarizes: v.optional(v.boolean()),
});
export type Transcription = v.InferOutput<typeof Transcription>;

export const Pagination = v.object({ page: v.number(), limit: v.number(), total: v.number(), totalPages: v.number() });
export type Pagination = v.InferOutput<typeof Pagination>;

/** The orders of the history. */
export const historySorts = ["newest", "oldest", "longest", "title"] as const;
export const HistorySort = v.picklist(historySorts);
export type HistorySort = v.InferOutput<typeof HistorySort>;

/** By what titles are sorted: neither case nor accents count. */
export function titleKey(title: string): string {
  return title
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .trim()
    .slice(0, titleKeyLength);
}
/** Of UTF-16: NFKD makes 18 of some characters, and no index of PostgreSQL takes more than 2,704 bytes. */
const titleKeyLength = 800;

/**
 * GET /api/v1/audio-transcriptions/transcription-history. `next`: the cursor of what follows; null at the end. It stays where it is when
 * rows come and go before it.
 */
export const HistoryAnswer = v.object({
  data: v.array(TranscriptionSummary),
  pagination: Pagination,
  next: v.optional(v.nullable(v.string())),
});
export type HistoryAnswer = v.InferOutput<typeof HistoryAnswer>;

/** The page requires no field of a transcription but its id. */
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
  filed: v.fallback(v.optional(Filed), undefined),
} satisfies Record<keyof TranscriptionSummary, v.GenericSchema>;
export const AcceptedSummary = v.object(acceptedSummary);
export const AcceptedTranscription = v.object({
  ...acceptedSummary,
  segments: v.fallback(v.array(Segment), () => []),
  fileName: v.fallback(v.nullable(v.string()), null),
  engine: v.fallback(v.nullable(v.string()), null),
  diarizes: v.fallback(v.optional(v.boolean()), undefined),
});
/** A page of the history: without a total it is the only one. */
export const AcceptedHistory = v.pipe(
  v.object({
    data: acceptedRows(AcceptedSummary),
    pagination: v.fallback(v.optional(Pagination), undefined),
    next: v.fallback(v.optional(v.nullable(v.string())), undefined),
  }),
  v.transform(({ data, pagination, next }): HistoryAnswer => {
    const only = { page: 1, limit: data.length, total: data.length, totalPages: 1 };
    return { data, pagination: pagination ?? only, ...(next !== undefined && { next }) };
  }),
);

const QueryNumber = (fallback: string) =>
  v.pipe(v.optional(v.string(), fallback), v.regex(/^\d{1,9}$/), v.transform(Number), v.minValue(1));
/**
 * Its query: page from 1 (default 1), limit 1 to 1000 (default 20), search (trimmed; empty means none), sort (default: newest first),
 * `after`: a cursor, which counts instead of the page.
 */
export const HistoryQuery = v.object({
  page: QueryNumber("1"),
  limit: v.pipe(QueryNumber("20"), v.maxValue(1000)),
  search: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(500)), ""),
  sort: v.optional(HistorySort, "newest"),
  after: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(1000))),
});

/** POST /api/v1/audio-transcriptions/save-final-transcription: a finished dictation. */
export const FinalTranscription = v.object({
  /** Made by the page: saving is idempotent, so that a lost answer can be retried. */
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

/** POST /api/v1/audio-transcriptions/sample: a sample to play with. Whoever has one gets that; it costs no minutes. */
export const SampleRequest = v.object({
  /** In the person's language; it says that it is a sample. */
  title: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(300)),
});
export type SampleRequest = v.InferOutput<typeof SampleRequest>;

/** More people than this are not told apart. */
export const mostSpeakers = 20;
/** The numbers of people that are offered to choose from; more are found out. */
export const offeredSpeakers = [2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
export const SpeakerCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostSpeakers));
const SegmentIndex = v.pipe(v.number(), v.integer(), v.minValue(0));
/** As labelled by the engine ("1", "2", …), or named by a person. */
export const SpeakerName = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80));

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
});
export type Regroup = v.InferOutput<typeof Regroup>;

/** How surely a word was heard, by its time (seconds), which stays when passages are split and merged; null: nothing is known. */
export const WordMark = v.object({
  start: Seconds,
  text: v.pipe(v.string(), v.maxLength(1000)),
  confidence: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
});
export type WordMark = v.InferOutput<typeof WordMark>;

/**
 * PUT /audio/remove-transcription/{id}. Every field is optional; `edits` corrects single segments (unchanged words keep their
 * times), `speakers` sets the speaker of some of them (null: unnamed), `translations` corrects those of single segments (until their text
 * changes, or another language is chosen), `regroups` splits and merges segments (words keep their
 * times and marks, each has its own segments, whose indices are those before all of them), `words` says of words that they were heard
 * well, or were not (a word that is not there any more is passed over), `spans` says where the segments that the first four name
 * were when the person saw them: where they have been divided since, a corrected one becomes whole again, and all parts get the speaker (409
 * `conflict` when nothing is there any more, or they are part of others), `text` replaces the whole text, a new `targetLanguage`
 * translates, `deletedAt: null` undoes a deletion, `retry: true` retries a failed job, `diarize` finds out (again) who speaks: a finished
 * transcription stays as it is meanwhile, with `progress.stage` "diarizing", and when that fails.
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
});
export type TranscriptionUpdate = v.InferOutput<typeof TranscriptionUpdate>;

/** DELETE /audio/remove-transcription/{id}: in the trash until `purgeAt` (ISO 8601); until then PUT {deletedAt: null}. */
export const DeletionAnswer = v.object({ id: v.string(), purgeAt: v.string() });
/** As the page accepts it; without a time it can't be undone. */
export const AcceptedDeletion = v.fallback(v.object({ purgeAt: v.optional(v.string()) }), {});

/**
 * The text fields of POST upload-and-transcribe (multipart), which must precede the field `file`; and the metadata of a resumable
 * upload (tus: POST /api/v1/uploads), which has `filename` and `filetype`, too.
 */
export const UploadFields = v.object({
  clientId: v.pipe(v.string(), v.uuid()),
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.optional(TextLanguage),
  title: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(300))),
  /** The file's size in bytes as the page sees it: a shorter upload was interrupted. */
  size: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
  /** Vocabulary hints: names and terms; for engines that take them (SpeechOption.vocabulary). */
  vocabulary: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(2000))),
  /** "1": distinguishes speakers, with engines that can (SpeechOption.speakers). */
  speakers: v.optional(v.literal("1")),
  /** With `speakers`: how many there are (1 to 20); absent: it is found out. */
  speakerCount: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), SpeakerCount)),
});

export const exportFormats = ["txt", "srt", "vtt", "docx", "json"] as const;
export const ExportFormat = v.picklist(exportFormats);
export type ExportFormat = v.InferOutput<typeof ExportFormat>;

/** Which texts an exported file has. Where a segment has no translation, its original stands in for it. */
export const exportContents = ["original", "both", "translation"] as const;
export const ExportContent = v.picklist(exportContents);
export type ExportContent = v.InferOutput<typeof ExportContent>;

/** One server-sent event (`event: transcription`) of the two /events streams: the current row, and segments as they arrive. */
export const TranscriptionEvent = v.object({ transcription: TranscriptionSummary, segments: v.optional(v.array(Segment)) });
export type TranscriptionEvent = v.InferOutput<typeof TranscriptionEvent>;
export const AcceptedEvent = v.object({ transcription: AcceptedSummary, segments: v.optional(v.array(Segment)) });

/** SPEC.md section 3's rule for a received status. */
export function statusOf(status: string | undefined): TranscriptionStatus {
  if (status === undefined) return "pending";
  return status === "completed" || status === "processing" || status === "pending" ? status : "failed";
}

/** Of an audio that an element is given access to; no answer: it comes from the API, with credentials. */
export const AudioAccess = v.object({
  /** The API sends the element on to where the audio is kept: it must ask without CORS. */
  direct: v.boolean(),
});
export type AudioAccess = v.InferOutput<typeof AudioAccess>;
