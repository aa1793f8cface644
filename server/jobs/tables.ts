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
  worker_id: string | null;
  lease_until: number | null;
  /** Attempts that ended in an error. */
  failures: number;
  /**
   * 1 when it was running in a process that died, and has made no progress since: it runs in quarantine. 2 when it was given up
   * for that and is retried: it stays there.
   */
  suspect: Generated<number>;
  /** How often it has crashed the quarantine process since its last progress. */
  crashes: number;
  /** How often a process that ran it alone has ended without a cause of its own (killed from outside) since its last progress. */
  kills: Generated<number>;
  /** 1 for the rest of a dictation: somebody has waited for it while it was spoken. */
  urgent: Generated<number>;
  /** Its place in the line (jobs/turn-queries.ts): the lowest is next. Null until it is lined up. */
  turn: Generated<number | null>;
  /** 1 when the message queue has it (PostgreSQL only). */
  sent: Generated<number>;
  /** Whether other workers take pieces of it (jobs/sharing.ts). */
  shared: Generated<number>;
  /** How its pieces are heard: only a worker that hears in the same way may take one. Null: no other worker may. */
  heard_as: Generated<string | null>;
  /** Length of the decoded audio; null until decoding is complete. */
  decoded_samples: number | null;
  truncated: number;
  /** `diarize`, `check`: the transcription is finished and stays so; who speaks in it is found out (again), or which of its words are unsure. */
  task: Generated<JobTask>;
  /** Of the request that it comes from; null when it comes from none. */
  request_id: string | null;
  /** 1 when it is known who speaks: a later run of the job need not find out again. */
  diarized: Generated<number>;
}

export type JobTask = "transcribe" | "diarize" | "check";

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
  /** Who hears it at the moment, and until when that counts without a heartbeat (epoch ms). */
  worker_id: Generated<string | null>;
  lease_until: Generated<number | null>;
  /** Who may hear it (jobs/sharing.ts). */
  reserved: Generated<number>;
}
