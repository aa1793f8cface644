import type { Claim } from "./claim-queries.ts";
import type { JobRow } from "./queries.ts";

/** A claimed job. */
export interface Delivery {
  job: JobRow;
  /** The job is still being run; call it with every renewal of the lease. */
  keep(): Promise<void>;
  /** The attempt has ended, in whatever way: the row is gone, or free again. */
  settle(): Promise<void>;
}

/**
 * Hands waiting jobs to workers, each to one. The rows of `jobs` are the truth: what waits, who has it, what it has failed at. What
 * enqueues, pauses or deletes a job writes its row, in the same transaction as the transcription; a queue finds out by itself.
 */
export interface JobQueue {
  /** Claims the next job: urgent ones first, then in the fair order (fairness-queries.ts). */
  claim(claim: Claim): Promise<Delivery | undefined>;
  close(): Promise<void>;
}
