import type { JobRow } from "./queries.ts";

/** The job was deleted, paused or claimed by another worker in the meantime. */
export class JobTaken extends Error {}

/** One attempt at a job. */
export interface Attempt {
  job: JobRow;
  /** Aborted when the job is taken away, or when the worker stops. */
  signal: AbortSignal;
  /** When a lease that is taken now ends without a heartbeat (epoch ms). */
  leaseUntil(): number;
  /** Resolves when another worker asks for pieces of the job; undefined: there is no other. */
  wanted: Promise<void> | undefined;
  /** To be called when something is stored that no later attempt has to repeat. */
  progressed(): Promise<void>;
}

export interface RunningAttempt {
  /** Resolves when the job is finished and its row deleted. Rejects with the error, `JobTaken`, or the signal's reason. */
  done: Promise<void>;
  /** Writes the progress to the database. */
  report(): Promise<void>;
  /** Whether it is downloading from a remote server. */
  isFetching(): boolean;
}

/** A worker that has no job, and hears pieces of another's. */
export interface Helper {
  worker: string;
  /** Epoch milliseconds. */
  now(): number;
  leaseUntil(): number;
  /** Aborted when the worker stops. */
  signal: AbortSignal;
}

/** A piece of another worker's job. */
export interface HelpedPiece {
  id: string;
  idx: number;
  /** Resolves when the piece is stored, or somebody else's by now. Rejects with the error, or the signal's reason. */
  done: Promise<void>;
  /** It is somebody else's by now. */
  stop(): void;
}

/** What is done for a job. The worker decides when, where and how often, independently of what the work is. */
export interface JobWork {
  begin(attempt: Attempt): RunningAttempt;
  /**
   * Begins a piece of a job that another worker shares, if there is one, and nothing keeps this process from beginning at once. Where
   * none is shared, it may ask for some. Undefined: none for now.
   */
  help(helper: Helper): Promise<HelpedPiece | undefined>;
  /** Whether another attempt would fail the same way. */
  isFinal(error: unknown): boolean;
  /** Whether an error is none of the job's: what it needs can't be reached for a while. */
  isPassing(error: unknown): boolean;
  /** Ends a job for good. */
  fail(id: string, error: unknown): Promise<void>;
  /** There will be another attempt later. */
  postpone(id: string): Promise<void>;
  /** No attempt will follow: deletes what only attempts need. */
  discard(id: string): Promise<void>;
}
