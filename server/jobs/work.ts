import type { JobRow } from "./queries.ts";

/** The job was deleted, paused or given to another worker meanwhile. */
export class JobTaken extends Error {}

/** One attempt at a job. */
export interface Attempt {
  job: JobRow;
  /** Aborted when the job is taken away, or when the worker stops. */
  signal: AbortSignal;
  /** To be called when something is stored that no later attempt has to do again. */
  progressed(): Promise<void>;
}

export interface RunningAttempt {
  /** The job is done and gone when this resolves. Rejected with what went wrong, `JobTaken`, or the signal's reason. */
  done: Promise<void>;
  /** Writes down how far it is. */
  report(): Promise<void>;
  /** Whether it waits for somebody else's server. */
  isFetching(): boolean;
}

/** What is done for a job. The worker knows when, where and how often, and nothing of what it is. */
export interface JobWork {
  begin(attempt: Attempt): RunningAttempt;
  /** Whether another attempt would end the same way. */
  isFinal(error: unknown): boolean;
  /** Ends a job for good. */
  fail(id: string, error: unknown): Promise<void>;
  /** There will be another attempt, after a while. */
  postpone(id: string): Promise<void>;
  /** Nobody goes on with it: what only attempts need is taken away. */
  discard(id: string): Promise<void>;
}
