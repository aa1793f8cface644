import type { AuditAction } from "#contract/index.ts";

/** The admin panel's tables. Times are epoch milliseconds. */
export interface AdminSchema {
  metric_days: MetricDayTable;
  audit_log: AuditTable;
}

/** A day's counts and last measurements, where other tables can't reproduce them later. */
export interface MetricDayTable {
  /** "2026-03-01" (UTC) */
  day: string;
  metric: Metric;
  value: number;
}

/** Measured daily; `recordedAt`: when, epoch ms. Sizes in bytes. */
export const measured = ["users", "premium", "database", "audio", "vault", "other", "recordedAt"] as const;
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
