import type { AuditAction, BackupPhase } from "#contract/index.ts";

/** The admin panel's tables. Times are epoch milliseconds. */
export interface AdminSchema {
  metric_days: MetricDayTable;
  audit_log: AuditTable;
  backups: BackupTable;
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

/** A day's counts and last measurements, where other tables can't reproduce them later. */
interface MetricDayTable {
  /** "2026-03-01" (UTC) */
  day: string;
  metric: Metric;
  value: number;
}

/** Measured daily; `recordedAt`: when, epoch ms. Sizes in bytes. */
const measured = ["users", "premium", "database", "audio", "vault", "other", "recordedAt"] as const;
export type Metric = "signIns" | (typeof measured)[number];

/** The audit log of admins' changes to users. It outlives the accounts, but the addresses in it are removed with them. */
export interface AuditTable {
  id: string;
  at: number;
  action: AuditAction;
  actor_id: string;
  actor_email: string | null;
  /** Null: it does not concern a single user. */
  user_id: string | null;
  user_email: string | null;
  /** JSON: AuditState */
  before: string;
  after: string;
  reason: string;
}
