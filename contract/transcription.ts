import * as v from "valibot";
import { AcceptedId } from "./accepted.ts";
import { ErrorBody } from "./error.ts";
import { SpeechLanguage, TextLanguage } from "./language.ts";
import { acceptedSoundTrackFields, soundTrackFields, TrackNumber } from "./tracks.ts";

/** Most people that are distinguished. */
export const maxSpeakers = 20;
/** The numbers of people offered for choice; larger numbers are detected. */
export const offeredSpeakers = [2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
export const SpeakerCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxSpeakers));
/** The engine's label ("1", "2", …), or a user's name for the speaker. */
export const SpeakerName = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80));

/** Seconds from the beginning of the audio. */
export const Seconds = v.pipe(v.number(), v.finite(), v.minValue(0));

/** ISO 8601 with a time. The pattern also matches impossible moments ("+23" as an offset, the 30th of February). */
export const Moment = v.pipe(
  v.string(),
  v.maxLength(40),
  v.isoTimestamp(),
  v.check((text) => !Number.isNaN(Date.parse(text)), "must be a valid time"),
);

/** A recognized word; `start` and `end` in seconds from the beginning of the audio; `confidence` from 0 to 1. */
export const Word = v.object({
  text: v.string(),
  start: Seconds,
  end: Seconds,
  confidence: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  /** The recognized form, if it is written differently: a replacement of the vocabulary, or a number in digits. */
  heard: v.optional(v.string()),
});
export type Word = v.InferOutput<typeof Word>;

/** Start and end of a segment in seconds. It identifies the segment after others have been divided. */
export const Span = v.tuple([Seconds, Seconds]);
export type Span = v.InferOutput<typeof Span>;

/** A user's text of a passage whose words another user has changed, too. It stays until a user chooses. */
export const OtherText = v.object({
  id: v.pipe(v.string(), v.uuid()),
  text: v.pipe(v.string(), v.maxLength(20_000)),
  /** The writer's e-mail address. */
  by: v.pipe(v.string(), v.maxLength(254)),
});
export type OtherText = v.InferOutput<typeof OtherText>;

/** Speech without a pause; times in seconds from the beginning of the audio. */
export const Segment = v.object({
  start: Seconds,
  end: Seconds,
  text: v.string(),
  words: v.array(Word),
  /** The recognized text, if it is written differently and has no words to mark. */
  heard: v.optional(v.string()),
  translation: v.optional(v.string()),
  /** The spoken language, if it differs from the transcription's: the other side of a conversation. */
  language: v.optional(v.union([SpeechLanguage, TextLanguage])),
  /** The target language, if it differs from the transcription's. */
  translationLanguage: v.optional(TextLanguage),
  /** The speaker: the engine's label ("1", "2", …), or a user's name. */
  speaker: v.optional(v.pipe(v.string(), v.maxLength(80))),
  /** The turn of the conversation. */
  turn: v.optional(v.pipe(v.string(), v.uuid())),
  others: v.optional(v.array(OtherText)),
});
export type Segment = v.InferOutput<typeof Segment>;

/** SPEC.md section 3: completed, processing; anything else counts as failed; a missing status means pending. */
const statuses = ["pending", "processing", "completed", "failed"] as const;
export const TranscriptionStatus = v.picklist(statuses);
export type TranscriptionStatus = v.InferOutput<typeof TranscriptionStatus>;

/**
 * The stage of a job: queued, fetching its audio from a URL, decoding to PCM, recognizing, detecting speakers,
 * translating, or finished.
 */
export const stages = ["waiting", "fetching", "decoding", "recognizing", "diarizing", "translating", "finished"] as const;
export const Stage = v.picklist(stages);
export type Stage = v.InferOutput<typeof Stage>;

export const Progress = v.object({
  stage: Stage,
  /** 0 to 1 over the whole job. */
  fraction: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  /** Estimated from the speed so far; null before an estimate is possible. */
  secondsLeft: v.nullable(v.number()),
});
export type Progress = v.InferOutput<typeof Progress>;

/** The origin of a transcription. */
export const Origin = v.picklist(["dictation", "upload", "url", "conversation", "sample"]);
export type Origin = v.InferOutput<typeof Origin>;

/** Where a user has filed a transcription: a folder, tags, favorites (filing.ts). */
export const Filed = v.object({
  /** null when in no folder. */
  folderId: v.nullable(v.string()),
  tagIds: v.array(v.string()),
  favourite: v.boolean(),
});
export type Filed = v.InferOutput<typeof Filed>;

/**
 * The rights of a user with whom a transcription is shared: to read and hear it, or also to correct its text and
 * speakers.
 */
export const shareRoles = ["read", "correct"] as const;
export const ShareRole = v.picklist(shareRoles);
export type ShareRole = v.InferOutput<typeof ShareRole>;

/** For another user's transcription: the rights, and its owner (an e-mail address). */
export const Access = v.object({ role: ShareRole, by: v.string() });
export type Access = v.InferOutput<typeof Access>;

/** Longest text in the history (characters). An hour of speech has about 50,000. */
export const listedTextLength = 20_000;

/** A row of the history. `status` is any string here: clients apply SPEC.md's rule with `statusOf`. */
export const TranscriptionSummary = v.object({
  id: v.string(),
  title: v.string(),
  text: v.string(),
  translatedText: v.string(),
  /** As requested (may be "auto"). */
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
  /**
   * The reason for a failure. A completed one may have a warning: `noSpeech`, `truncated`, `translationFailed`,
   * `diarizationFailed`, `recognitionFailed` or `correctedMeanwhile`.
   */
  error: v.nullable(ErrorBody),
  /** Whether its texts are longer than lists show (`listedTextLength`), so that only the server can search the rest. */
  shortened: v.optional(v.boolean()),
  /** Absent on servers without folders and tags. */
  filed: v.optional(Filed),
  /** Absent for the user's own transcription. */
  access: v.optional(Access),
});
export type TranscriptionSummary = v.InferOutput<typeof TranscriptionSummary>;

/**
 * The recognizer of a dictation in place of the server, also the `engine` of its text: the browser's own, or a model on
 * the device.
 */
export const HeardBy = v.picklist(["browser", "device"]);
export type HeardBy = v.InferOutput<typeof HeardBy>;

export const Transcription = v.object({
  ...TranscriptionSummary.entries,
  segments: v.array(Segment),
  fileName: v.nullable(v.string()),
  engine: v.nullable(v.string()),
  /** Whether speakers are (to be) detected in a separate step. */
  diarizes: v.optional(v.boolean()),
  /** Whether its recording is, or may be, a video. */
  hasPicture: v.optional(v.boolean()),
  /** Whether a language model has made insights of it. */
  hasInsights: v.optional(v.boolean()),
  ...soundTrackFields,
});
export type Transcription = v.InferOutput<typeof Transcription>;

/** The page requires only the id of a transcription. */
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
  access: v.fallback(v.optional(Access), undefined),
} satisfies Record<keyof TranscriptionSummary, v.GenericSchema>;
export const AcceptedSummary = v.object(acceptedSummary);
export const AcceptedTranscription = v.object({
  ...acceptedSummary,
  segments: v.fallback(v.array(Segment), () => []),
  fileName: v.fallback(v.nullable(v.string()), null),
  engine: v.fallback(v.nullable(v.string()), null),
  diarizes: v.fallback(v.optional(v.boolean()), undefined),
  hasPicture: v.fallback(v.optional(v.boolean()), undefined),
  hasInsights: v.fallback(v.optional(v.boolean()), undefined),
  ...acceptedSoundTrackFields,
});
/** POST /api/v1/audio-transcriptions/save-final-transcription: a finished dictation. */
export const FinalTranscription = v.object({
  /** Generated by the page. It makes saving idempotent, so that a lost response can be retried. */
  clientId: v.pipe(v.string(), v.uuid()),
  /** The live recording with its audio. */
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

/**
 * POST /api/v1/audio-transcriptions/sample: a sample to try things with. A user who has one already gets that; it costs
 * no minutes.
 */
export const SampleRequest = v.object({
  /** In the user's language; it says that it is a sample. */
  title: v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(300)),
});
export type SampleRequest = v.InferOutput<typeof SampleRequest>;

/**
 * The text fields of POST upload-and-transcribe (multipart), which must precede the field `file`. Also the metadata of
 * a resumable upload (tus: POST /api/v1/uploads), which also has `filename` and `filetype`.
 */
export const UploadFields = v.object({
  clientId: v.pipe(v.string(), v.uuid()),
  sourceLanguage: SpeechLanguage,
  targetLanguage: v.optional(TextLanguage),
  title: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(300))),
  /** Size of the file in bytes according to the page: a shorter upload was interrupted. */
  size: v.optional(v.pipe(v.string(), v.regex(/^\d{1,15}$/), v.transform(Number))),
  /** Expected names and terms, for engines that use them (SpeechOption.vocabulary). */
  vocabulary: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(2000))),
  /** "1": distinguishes speakers, for engines that support it (SpeechOption.speakers). */
  speakers: v.optional(v.literal("1")),
  /** With `speakers`: their number (1 to 20); absent: detected. */
  speakerCount: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), SpeakerCount)),
  /** Number of the sound track to transcribe, from 1; if absent, or not in the file, the file's default track. */
  track: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), TrackNumber)),
});

export const exportFormats = ["txt", "md", "html", "srt", "vtt", "docx", "pdf", "json"] as const;
export const ExportFormat = v.picklist(exportFormats);
export type ExportFormat = v.InferOutput<typeof ExportFormat>;

/** The texts in an exported file. A segment without a translation shows its original instead. */
export const exportContents = ["original", "both", "translation"] as const;
export const ExportContent = v.picklist(exportContents);
export type ExportContent = v.InferOutput<typeof ExportContent>;

/**
 * A server-sent event (`event: transcription`) of the two /events streams: the current row, and segments as they
 * arrive.
 */
export const TranscriptionEvent = v.object({
  /** The stream of one transcription also has its engine and sound track, which change when it is recognized again. */
  transcription: v.object({
    ...TranscriptionSummary.entries,
    engine: v.exactOptional(v.nullable(v.string())),
    ...soundTrackFields,
  }),
  segments: v.optional(v.array(Segment)),
});
export type TranscriptionEvent = v.InferOutput<typeof TranscriptionEvent>;
export const AcceptedEvent = v.object({
  transcription: v.object({
    ...acceptedSummary,
    engine: v.exactOptional(v.fallback(v.nullable(v.string()), null)),
    ...acceptedSoundTrackFields,
  }),
  segments: v.optional(v.array(Segment)),
});

/** Whether a job works on a finished transcription: it detects speakers, or recognizes the audio again. */
export function isReworked({ status, progress }: Pick<Transcription, "status" | "progress">): boolean {
  return statusOf(status) === "completed" && progress !== null && progress.stage !== "finished";
}

/** SPEC.md section 3's rule for a received status. */
export function statusOf(status: string | undefined): TranscriptionStatus {
  if (status === undefined) return "pending";
  return status === "completed" || status === "processing" || status === "pending" ? status : "failed";
}

/** Access of an audio element. Without this response, the audio comes from the API, with credentials. */
export const AudioAccess = v.object({
  /** Whether the API redirects to where the audio is stored, so that the element must request it without CORS. */
  direct: v.boolean(),
});
export type AudioAccess = v.InferOutput<typeof AudioAccess>;
