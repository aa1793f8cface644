import type { JobRow } from "./queries.ts";

/** The job was deleted, paused or claimed again in the meantime. */
export class JobTakenOver extends Error {}

/** One attempt at a job. */
export interface Attempt {
  job: JobRow;
  /** Aborted when the job is taken away, or when the worker stops. */
  signal: AbortSignal;
  /** Call it when a result is stored that no later attempt has to repeat. */
  progressed(): Promise<void>;
}

export interface RunningAttempt {
  /**
   * Resolves when the job is finished and its row deleted. Rejects with the error, `JobTakenOver`, or the signal's
   * reason.
   */
  done: Promise<void>;
  /** Writes the progress to the database. */
  report(): Promise<void>;
  /** Whether it is downloading from a remote server. */
  isFetching(): boolean;
}

/** The work of a kind of job. The worker decides independently when, where and how often it runs. */
export interface JobHandler {
  begin(attempt: Attempt): RunningAttempt;
  /** Whether another attempt would fail the same way. */
  isFinal(error: unknown): boolean;
  /** Whether an error is none of the job's: what it needs can't be reached for a while. */
  isPassing(error: unknown): boolean;
  /** Ends a job for good, unless another worker has taken it. */
  fail(job: JobRow, error: unknown): Promise<void>;
  /** Another attempt will follow. */
  postpone(id: string): Promise<void>;
  /** No attempt will follow: deletes data that only attempts need. */
  discard(id: string): Promise<void>;
}
