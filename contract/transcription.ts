import * as v from "valibot";
import { AcceptedId } from "./accepted.ts";
import { ErrorBody } from "./error.ts";
import { SpeechLanguage, TextLanguage } from "./language.ts";
import { acceptedSoundTrackFields, soundTrackFields, TrackNumber } from "./tracks.ts";

/** More people than this are not told apart. */
export const maxSpeakers = 20;
/** The numbers of people that are offered to choose from; more are found out. */
export const offeredSpeakers = [2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
export const SpeakerCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(maxSpeakers));
/** As labelled by the engine ("1", "2", …), or named by a person. */
export const SpeakerName = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80));

/** From the beginning of the audio. */
export const Seconds = v.pipe(v.number(), v.finite(), v.minValue(0));

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
  /** What the engine recognized, where it is written differently: a replacement of the vocabulary, a number in digits. */
  heard: v.optional(v.string()),
});
export type Word = v.InferOutput<typeof Word>;

/** From when to when a segment lasts, in seconds: who knows it finds the segment again after others have been divided. */
export const Span = v.tuple([Seconds, Seconds]);
export type Span = v.InferOutput<typeof Span>;

/** What somebody has written of a passage while somebody else has changed the same words of it: it stays until somebody chooses. */
export const OtherText = v.object({
  id: v.pipe(v.string(), v.uuid()),
  text: v.pipe(v.string(), v.maxLength(20_000)),
  /** Who has: an e-mail address. */
  by: v.pipe(v.string(), v.maxLength(254)),
});
export type OtherText = v.InferOutput<typeof OtherText>;

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
  others: v.optional(v.array(OtherText)),
});
export type Segment = v.InferOutput<typeof Segment>;

/** SPEC.md section 3: completed, processing; anything else is treated as failed; a missing status means pending. */
const statuses = ["pending", "processing", "completed", "failed"] as const;
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

/** What somebody may do with a transcription that is shared with them: read and hear it, or correct its text and speakers, too. */
export const shareRoles = ["read", "correct"] as const;
export const ShareRole = v.picklist(shareRoles);
export type ShareRole = v.InferOutput<typeof ShareRole>;

/** Of somebody else's transcription: what one may do, and whose it is (an e-mail address). */
export const Access = v.object({ role: ShareRole, by: v.string() });
export type Access = v.InferOutput<typeof Access>;

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
  /**
   * Why it failed. A completed one may carry a warning: `noSpeech`, `truncated`, `translationFailed`, `diarizationFailed`,
   * `recognitionFailed` or `correctedMeanwhile`.
   */
  error: v.nullable(ErrorBody),
  /** Its texts are longer than lists show (`listedTextLength`): only the server can search the rest. */
  shortened: v.optional(v.boolean()),
  /** Other servers may have neither folders nor tags. */
  filed: v.optional(Filed),
  /** Absent: it is one's own. */
  access: v.optional(Access),
});
export type TranscriptionSummary = v.InferOutput<typeof TranscriptionSummary>;

/** Who transcribes a dictation in the server's place, and the `engine` of its text: a browser's own recognizer, or a model on a device. */
export const HeardBy = v.picklist(["browser", "device"]);
export type HeardBy = v.InferOutput<typeof HeardBy>;

export const Transcription = v.object({
  ...TranscriptionSummary.entries,
  segments: v.array(Segment),
  fileName: v.nullable(v.string()),
  engine: v.nullable(v.string()),
  /** It is (to be) found out who speaks, as a step of its own. */
  diarizes: v.optional(v.boolean()),
  /** Its recording is a video, or may be one. */
  hasPicture: v.optional(v.boolean()),
  /** A language model has made something of it. */
  hasInsights: v.optional(v.boolean()),
  ...soundTrackFields,
});
export type Transcription = v.InferOutput<typeof Transcription>;

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
  /** The number of the sound track to transcribe, from 1; absent, or not in the file: the one that the file marks as its default. */
  track: v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), TrackNumber)),
});

export const exportFormats = ["txt", "md", "html", "srt", "vtt", "docx", "pdf", "json"] as const;
export const ExportFormat = v.picklist(exportFormats);
export type ExportFormat = v.InferOutput<typeof ExportFormat>;

/** Which texts an exported file has. Where a segment has no translation, its original stands in for it. */
export const exportContents = ["original", "both", "translation"] as const;
export const ExportContent = v.picklist(exportContents);
export type ExportContent = v.InferOutput<typeof ExportContent>;

/** One server-sent event (`event: transcription`) of the two /events streams: the current row, and segments as they arrive. */
export const TranscriptionEvent = v.object({
  /** The stream of one transcription says its engine and its sound track, too: recognizing it again changes them. */
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

/** Whether a job works on a finished transcription: it finds out who speaks, or recognizes the sound again. */
export function isReworked({ status, progress }: Pick<Transcription, "status" | "progress">): boolean {
  return statusOf(status) === "completed" && progress !== null && progress.stage !== "finished";
}

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
