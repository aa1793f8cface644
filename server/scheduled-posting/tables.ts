import type { RunOutcome, RunReason } from "#contract/index.ts";

declare module "#server/db/schema.ts" {
  interface Schema {
    blog_schedule: BlogScheduleTable;
    blog_runs: BlogRunTable;
  }
}

/** Scheduled posting: one row, whose `id` is 1. */
export interface BlogScheduleTable {
  id: number;
  /** The cron expression that `next_at` was computed from; "" without a schedule. */
  expression: string;
  next_at: number | null;
  /** The scheduled time to skip. */
  skip_at: number | null;
  /** Counts of posted and skipped runs, kept because `blog_runs` is pruned. */
  posted: number;
  skipped: number;
}

export interface BlogRunTable {
  /** Derived from the scheduled time, so that a time can't have two runs. */
  id: string;
  origin: "schedule" | "person";
  due_at: number;
  started_at: number;
  finished_at: number | null;
  outcome: RunOutcome;
  reason: RunReason | null;
  /** The error message, in English. */
  message: string | null;
  post_id: string | null;
  post_slug: string | null;
  post_title: string | null;
  /** How often a process has started the run. Only the process that started it last may finish it. */
  attempt: number;
  /** End of the lease of the process that has started the run. */
  lease_until: number;
}
