import type { BackupPhase } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    backups: BackupTable;
  }
}

/** A backup, under way or ended (server/backup/runs.ts). */
export interface BackupTable {
  id: string;
  /** The name of its file. */
  name: string;
  /** The machine and the folder where it is. */
  host: string;
  folder: string;
  /** The scheduled time; null: started by a person. */
  due_at: number | null;
  started_at: number;
  /** The last sign of life of its process. */
  beat_at: number;
  finished_at: number | null;
  outcome: "running" | "made" | "failed";
  phase: BackupPhase;
  /** Rows of the database, or bytes of files, in this phase. */
  done: number;
  /** The size of its file in bytes; null before it is complete. */
  size: number | null;
  /** The error; "" if there is none. */
  message: string;
}
