import type { AuditAction } from "#contract/index.ts";

/** The admin panel's tables. Times are epoch milliseconds. */
export interface AdminSchema {
  metric_days: MetricDayTable;
  audit_log: AuditTable;
}

/** What is counted on a day, or was measured last on it, where the rows of other tables don't tell it later. */
export interface MetricDayTable {
  /** "2026-03-01" (UTC) */
  day: string;
  metric: Metric;
  value: number;
}

/** `recordedAt`: when the others of the day were measured, epoch ms. Sizes in bytes. */
export const measured = ["users", "premium", "database", "audio", "vault", "other", "recordedAt"] as const;
export type Metric = "signIns" | (typeof measured)[number];

/** Who has changed what about whom. It outlives the accounts; the addresses in it don't. */
export interface AuditTable {
  id: string;
  at: number;
  action: AuditAction;
  actor_id: string;
  actor_email: string | null;
  /** Null: it is about nobody alone. */
  user_id: string | null;
  user_email: string | null;
  /** JSON: AuditState */
  before: string;
  after: string;
  reason: string;
}
