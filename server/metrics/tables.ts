declare module "#server/db/schema.ts" {
  interface Schema {
    metric_days: MetricDayTable;
  }
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
