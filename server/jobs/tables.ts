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
  /** Of whoever runs it: each claim has a name of its own. A lease that has expired leaves it here. */
  lease_id: string | null;
  /** When the lease ends without a heartbeat (epoch ms). */
  lease_until: number | null;
  /** Attempts that failed since its last progress. */
  attempts: number;
  /** How often its server has died since its last progress. */
  interruptions: Generated<number>;
  /** 1 for the rest of a dictation: somebody has waited for it while it was spoken. */
  urgent: Generated<number>;
  /** Its place in the fair order (jobs/fairness-queries.ts): the lowest is next. Null until it has one. */
  rank: Generated<number | null>;
  /** Length of the decoded audio; null until decoding is complete. */
  decoded_samples: number | null;
  truncated: number;
  /** 1: sound is missing in the middle. */
  holes: Generated<number>;
  /**
   * All but `transcribe`: the transcription is finished and stays so. `diarize` finds out (again) who speaks in it, `check` which of its
   * words are unsure; `recognize` replaces a text that a browser or a device has made, or that is of another sound track.
   */
  task: Generated<JobTask>;
  /** Of the request that it comes from; null when it comes from none. */
  request_id: string | null;
  /** 1 when it is known who speaks: a later run of the job need not find out again. */
  diarized: Generated<number>;
  /** The sound track (from 1) that `recognize` recognizes instead of the transcription's own, and its language; null: that one. */
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
