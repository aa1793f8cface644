import type { BackupPhase } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    backups: BackupTable;
  }
}

/** A backup, under way or ended (server/backup/runs.ts). */
export interface BackupTable {
  id: string;
  /** Of its file. */
  name: string;
  /** The machine and the folder where it is. */
  host: string;
  folder: string;
  /** When the schedule wanted it; null: somebody has asked for it. */
  due_at: number | null;
  started_at: number;
  /** Its process was there then. */
  beat_at: number;
  finished_at: number | null;
  outcome: "running" | "made" | "failed";
  phase: BackupPhase;
  /** Rows of the database, or bytes of files, in this phase. */
  done: number;
  /** Of its file, in bytes; null before it is made. */
  size: number | null;
  /** What went wrong; "" for nothing. */
  message: string;
}
