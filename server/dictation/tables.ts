import type { Generated } from "kysely";

declare module "#server/db/schema.ts" {
  interface Schema {
    recordings: RecordingTable;
    recording_segments: RecordingSegmentTable;
  }
}

/** A live dictation whose audio does not belong to a transcription yet. */
export interface RecordingTable {
  /** The server's id: another one if a recording starts under the client id of an erased one. */
  id: string;
  user_id: string;
  /** The client id. */
  recording_id: string;
  source_language: string;
  target_language: string | null;
  created_at: number;
  touched_at: number;
  /** The connection that feeds it. */
  owner: string | null;
  /** Every word before it is final. */
  final_sample: number;
  /** Total number of frames, once the page has sent it and every word is final. */
  total_frames: number | null;
  /** The page's recognizer (`HeardBy`); null: an engine of the server. */
  heard_by: Generated<string | null>;
  /** The bytes of its audio, as last measured. */
  bytes: Generated<number>;
  /** Set when its audio belongs to a transcription. */
  transcription_id: string | null;
}

interface RecordingSegmentTable {
  recording: string;
  idx: number;
  segment: string;
}
