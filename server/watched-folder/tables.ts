declare module "#server/db/schema.ts" {
  interface Schema {
    watched_files: WatchedFileTable;
  }
}

/** What was found in the watched folder. A changed file is another version in the same row. */
export interface WatchedFileTable {
  /** Absolute. */
  path: string;
  user_id: string;
  /** Bytes. */
  size: number;
  /** Of the file (epoch ms). */
  modified_at: number;
  /** null while it is `refused`. */
  transcription_id: string | null;
  /** Name of the results without ending; null: none has been written yet. */
  results: string | null;
  /** `taken`: its results are due; `failed`: that was told, it may be made anew; `done`; `refused`: it was not taken, which was told. */
  state: "taken" | "failed" | "done" | "refused";
  /** Epoch ms. */
  found_at: number;
}
