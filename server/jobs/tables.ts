import type { Generated } from "kysely";

declare module "#server/db/schema.ts" {
  interface Schema {
    jobs: JobTable;
    pieces: PieceTable;
  }
}

/** A transcription's job. Deleted when it is finished or has failed for good. */
export interface JobTable {
  transcription_id: string;
  created_at: number;
  run_after: number;
  /** 1 while its transcription is deleted but can still be restored. */
  paused: number;
  /** The id of its claim: each claim has its own. An expired lease keeps it. */
  lease_id: string | null;
  /** When the lease ends without a heartbeat (epoch ms). */
  lease_until: number | null;
  /** Attempts that failed since its last progress. */
  attempts: number;
  /** How often its server has died since its last progress. */
  interruptions: Generated<number>;
  /** 1 for the rest of a dictation: its user waited while it was spoken. */
  urgent: Generated<number>;
  /** Its place in the fair order (jobs/fairness-queries.ts): the lowest is next. Null until it has one. */
  rank: Generated<number | null>;
  /** Length of the decoded audio; null until decoding is complete. */
  decoded_samples: number | null;
  truncated: number;
  /** 1: audio is missing in the middle. */
  holes: Generated<number>;
  /**
   * For all tasks except `transcribe`, the transcription is finished and stays so. `diarize` identifies its speakers
   * (again), `check` finds uncertain words; `recognize` replaces a text that a browser or a device has recognized, or
   * that comes from another audio track.
   */
  task: Generated<JobTask>;
  /** The id of its request; null without one. */
  request_id: string | null;
  /** 1 when it is known who speaks: a later run of the job need not find out again. */
  diarized: Generated<number>;
  /**
   * The audio track (from 1) that `recognize` uses instead of the transcription's own, and its language; null: the own
   * one.
   */
  track: Generated<number | null>;
  source_language: Generated<string | null>;
}

export type JobTask = "transcribe" | "diarize" | "recognize" | "check";

/** A stretch of a job's audio. Finished pieces survive a crash of the worker. */
export interface PieceTable {
  transcription_id: string;
  idx: number;
  start_sample: number;
  end_sample: number;
  done: number;
  translated: number;
  /** JSON: Segment[], times from the start of the whole audio. */
  segments: string;
}
