import type { Claim } from "./claim-queries.ts";
import type { JobRow } from "./queries.ts";

/** A claimed job. */
export interface Delivery {
  job: JobRow;
  /** The job is still being run; call it with every renewal of the lease. */
  keep(): Promise<void>;
  /** The attempt has ended in any way: the row is deleted or free again. */
  settle(): Promise<void>;
}

/**
 * Gives each waiting job to one worker. The rows of `jobs` decide: waiting jobs, claims and failures. Code that
 * enqueues, pauses or deletes a job writes its row, in the same transaction as the transcription; a queue notices it
 * automatically.
 */
export interface JobQueue {
  /** Claims the next job: urgent ones first, then in the fair order (fairness-queries.ts). */
  claim(claim: Claim): Promise<Delivery | undefined>;
  close(): Promise<void>;
}
