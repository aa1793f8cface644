import type { Generated } from "kysely";
import type { ErrorCode, Origin, Stage, TranscriptionStatus } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    transcriptions: TranscriptionTable;
    endings: EndingTable;
  }
}

export interface TranscriptionTable {
  id: string;
  user_id: string;
  client_id: string;
  /** The server's id of the dictation's recording. */
  recording_id: string | null;
  title: string;
  text: string;
  translated_text: string;
  /** Title, text and translated text in lower case, for search. */
  haystack: string;
  /** Sort key of the title. */
  title_key: string;
  /** Characters of its texts and segments, readable from the index alone (db/portions.ts). */
  weight: number;
  source_language: string;
  target_language: string | null;
  date: number;
  status: TranscriptionStatus;
  origin: Origin;
  duration_seconds: number | null;
  /** Content type of the audio; null when there is none. */
  audio_type: string | null;
  file_name: string | null;
  engine: string | null;
  /** JSON: Segment[] */
  segments: string;
  /** JSON: translations into languages that are not selected now (transcription/hidden.ts). */
  hidden_translations: Generated<string>;
  stage: Stage | null;
  fraction: number | null;
  seconds_left: number | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  revision: number;
  /** When it was moved to the trash; null when it is not there. */
  deleted_at: number | null;
  /** When the sweep saw that its last day in the trash had begun; null before. */
  doomed_at: Generated<number | null>;
  /** Hidden in the trash. 1: the next sweep erases it. 2: it is empty, and reappears by itself when it gets content. */
  erasing: Generated<number>;
  /** Names and terms to expect in it, for engines that support hints. */
  vocabulary: string | null;
  /** 1 for speaker diarization. */
  speakers: Generated<number>;
  /** Number of speakers, if a user has stated it. */
  speaker_count: Generated<number | null>;
  /** JSON: AudioTrack[]; null for a recording with one track, or before decoding. */
  tracks: Generated<string | null>;
  /**
   * The wished sound track, from 1; after decoding, the transcribed one. Null: the file's default, or its only track.
   */
  track: Generated<number | null>;
  /** 1: sound is missing in the middle of the track. */
  holes: Generated<number>;
}

/** A completed or failed transcription, kept until all notifications are created. */
export interface EndingTable {
  id: string;
  user_id: string;
  transcription_id: string;
  /** What happened (contract/webhooks.ts). */
  event: string;
  /** JSON: facts about it (contract/webhooks.ts). */
  data: string;
}
