declare module "#server/db/schema.ts" {
  interface Schema {
    watched_files: WatchedFileTable;
  }
}

/** A file found in the watched folder. A changed file is a new version in the same row. */
export interface WatchedFileTable {
  /** Absolute. */
  path: string;
  user_id: string;
  /** Bytes. */
  size: number;
  /** When the file was changed (epoch ms). */
  modified_at: number;
  /** null in the state `refused`. */
  transcription_id: string | null;
  /** Name of the results without extension; null before any was written. */
  results: string | null;
  /**
   * `taken`: its results are due. `failed`: the failure was reported, and it may be retried. `done`. `refused`: it was
   * not taken, and that was reported.
   */
  state: "taken" | "failed" | "done" | "refused";
  /** Epoch ms. */
  found_at: number;
}
