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
  /** The server's id of the recording that it was dictated as. */
  recording_id: string | null;
  title: string;
  text: string;
  translated_text: string;
  /** Title, text and translated text in lower case, for the search. */
  haystack: string;
  /** By what it is sorted by title. */
  title_key: string;
  /** Characters of its texts and segments, read from the index alone (db/portions.ts). */
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
  /** JSON: translations of languages that are not chosen now (transcription/hidden.ts). */
  hidden_translations: Generated<string>;
  stage: Stage | null;
  fraction: number | null;
  seconds_left: number | null;
  error_code: ErrorCode | null;
  error_message: string | null;
  revision: number;
  /** When it was moved to the trash; null for those that are not in it. */
  deleted_at: number | null;
  /** When the sweep has seen that the last day of one in the trash has begun; null before. */
  doomed_at: Generated<number | null>;
  /** Nobody sees it in the trash: 1 when the next sweep erases it; 2 when it has nothing, and comes back by itself when it gets something. */
  erasing: Generated<number>;
  /** Names and terms to expect in it, for engines that support hints. */
  vocabulary: string | null;
  /** 1 for speaker diarisation. */
  speakers: Generated<number>;
  /** How many speakers there are, where somebody has said it. */
  speaker_count: Generated<number | null>;
  /** JSON: AudioTrack[], where the recording has several; null: it has one, or is not decoded yet. */
  tracks: Generated<string | null>;
  /** The sound track that is wished for, from 1; once it is decoded, the one that the text is of. Null: the file's default, or its only one. */
  track: Generated<number | null>;
  /** 1: sound is missing in the middle of that track. */
  holes: Generated<number>;
}

/** A transcription that was completed or has failed, until whoever wants to know has been written a message. */
export interface EndingTable {
  id: string;
  user_id: string;
  transcription_id: string;
  /** What happened (contract/webhooks.ts). */
  event: string;
  /** JSON: facts about it (contract/webhooks.ts). */
  data: string;
}
