import type { Claim } from "./claim-queries.ts";
import type { JobRow } from "./queries.ts";

/**
 * Hands waiting jobs to workers, each to one. The rows of `jobs` are the truth: what waits, who has it, what it has failed at. What
 * enqueues, pauses or deletes a job writes its row, in the same transaction as the transcription; a queue finds out by itself.
 */
export interface JobQueue {
  /** Whether workers of other processes take jobs from it, too: then one that has none hears pieces of another's. */
  readonly isShared: boolean;
  /** Claims the next job for a worker: the row is the worker's from then on. Urgent ones first, then by turns (turn-queries.ts). */
  claim(claim: Claim): Promise<JobRow | undefined>;
  /** A claimed job is still being worked at; call it with every renewal of the lease. */
  keep(id: string): Promise<void>;
  /** A claimed job has ended, in whatever way: its row is gone, or free again. */
  settle(id: string): Promise<void>;
  close(): Promise<void>;
}
